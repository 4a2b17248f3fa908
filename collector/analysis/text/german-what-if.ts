import type { WhatIfTexts } from './english-what-if.ts';
import { numberWords } from './numbers.ts';

const { amount, count, limit, share: shareOf, upTo, wholeShare } = numberWords('de');
const DAY = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'UTC' });
const percent = (share: number) => `${upTo(share * 100, 1)} %`;
const within = ([low, high]: readonly [number, number]) => `${upTo(low * 100, 1)} bis ${percent(high)}`;

export const GERMAN_WHAT_IF: WhatIfTexts = {
  keep_alive: {
    title: ({ seconds }) => `Keep-Alive-Timeout von ${count(seconds)} s`,
    nothing: () => 'Nichts: Es würden dieselben Verbindungen geöffnet.',
    assumption:
      'Die Nutzer machen dieselben Pausen, und Verbindungen werden nur geschlossen, weil sie ungenutzt sind. Chromium schließt sie nach 5 Minuten, Firefox nach 115 s.',
  },
  session_tickets: {
    title: () => 'Wenn TLS-Sitzungen wieder aufgenommen würden',
    nothing: ({ full }) =>
      full === 0
        ? 'Nichts: Alle Sitzungen wurden wieder aufgenommen.'
        : 'Nichts: Bei keinem vollen Handshake hatte der Browser eine Sitzung, die er hätte wieder aufnehmen können.',
    assumption:
      'Ein Browser, der innerhalb einer Stunde wiederkommt, nimmt seine Sitzung wieder auf; das dauert einen Round-Trip. Mit TLS 1.2 kann Firefox das nach jedem vollen Handshake einmal.',
  },
  tls_13: {
    title: () => 'TLS 1.3',
    nothing: ({ before13 }) =>
      before13 === 0
        ? 'Nichts: Es wird schon verwendet.'
        : 'Nichts: Kein Handshake dauert einen Round-Trip länger als mit TLS 1.3.',
    assumption:
      'Nur volle Handshakes in Firefox sparen einen Round-Trip; er dauert so lange wie ihr TCP-Verbindungsaufbau. Chromium wartet das Ende eines Handshakes mit TLS 1.2 nicht ab.',
  },
  http2: {
    title: () => 'HTTP/2',
    nothing: ({ http1Requests }) =>
      http1Requests === 0
        ? 'Nichts: HTTP/1.1 wird nicht verwendet.'
        : 'Nichts: Keine Anfrage wartet auf eine freie Verbindung.',
    assumption: 'Server und Leitung sind genauso schnell, wenn alle Anfragen auf einmal über eine Verbindung kommen.',
  },
  slow_group: {
    title: ({ slowShare, fromMs }) =>
      slowShare > 0
        ? `Wenn die ${shareOf(slowShare)} der Anfragen über ${limit(fromMs)} so schnell wären wie die anderen`
        : 'Wenn langsame Anfragen so schnell wären wie die anderen',
    nothing: () => 'Nichts: Keine Anfrage ist weit langsamer als die anderen.',
    assumption:
      'Jede langsame Anfrage dauert so lange wie der Median der anderen ihrer Art; der Verbindungsaufbau dauert so lange wie jetzt.',
  },
  nearer_site: {
    title: ({ site, nearSite, fartherMs }) =>
      site === ''
        ? 'Wenn alle Standorte so nah wären wie der nächste'
        : `Wenn ${site} so nah wäre wie ${nearSite} (${amount(fartherMs)} ms näher)`,
    nothing: () => 'Nichts: Der Standort ist genauso nah.',
    assumption:
      'Jede Phase einer Anfrage dauert so lange, wie dieselbe Anfrage am näheren Standort üblicherweise dauert.',
  },
  timing_allowed: {
    title: () => 'Wenn fremde Anbieter Timing-Allow-Origin senden würden',
    nothing: () => 'Es ist nichts verborgen.',
    assumption: 'Keine Anfrage wird dadurch schneller, aber es wird sichtbar, womit ihre Zeit vergeht.',
  },
  more: {
    since: (at) =>
      `Zuletzt änderte ein Server seinen Timeout am ${DAY.format(at)}; seine Anfragen davor zählen nicht mit.`,
    saves: (share, interval, affected, perRequest) =>
      `${percent(share)} der Gesamtzeit (${within(interval)}): ${amount(perRequest)} ms bei jeder von ${count(affected)} Anfragen.`,
    costs: (share, interval, affected, perRequest) =>
      `Kostet ${percent(share)} mehr Zeit (${within(interval)}): ${amount(perRequest)} ms bei jeder von ${count(affected)} Anfragen.`,
    hardly: (affected) => `Kaum etwas: weniger als 0,1 % der Gesamtzeit, bei ${count(affected)} Anfragen.`,
    shows: ({ affected, opaqueShare, hiddenShare }) =>
      `Spart keine Zeit, macht aber ${count(affected)} Anfragen (${wholeShare(opaqueShare)}) mit ${wholeShare(hiddenShare)} der Gesamtzeit sichtbar.`,
    reasons: {
      too_few_requests: 'Nicht bekannt: Zu wenige Anfragen hängen davon ab.',
      too_few_browsers: 'Nicht gezeigt: Zu wenige Browser sind betroffen.',
      no_idle_times: 'Nicht bekannt: Kein Browser meldet die Pausen zwischen Anfragen.',
      handshake_not_told:
        'Nicht bekannt: Der Server meldet nicht in Server-Timing, welche Sitzungen er wieder aufgenommen hat.',
      tls_version_unknown:
        'Nicht bekannt: Nur Firefox meldet die TLS-Version, und es gibt weniger als 30 seiner Verbindungen.',
      protocol_unknown: 'Nicht bekannt: Die Browser verbergen das Protokoll.',
      few_sites: 'Nicht bekannt: Weniger als zwei Standorte haben 30 Verbindungen geöffnet.',
    },
  },
};
