import { MIN_RELATIVE_CHANGE } from '../../../../shared/statistics/change.ts';
import { GERMAN } from '../../../analysis/text/german.ts';
import type { COMPARE as ENGLISH_COMPARE } from '../english/compare.ts';

const { count, difference, ms } = GERMAN.numbers;
const span = ([low, high]: readonly [number, number]) => `${difference(low)} bis ${difference(high)} ms`;
const leastChange = MIN_RELATIVE_CHANGE * 100;

export const COMPARE: typeof ENGLISH_COMPARE = {
  title: 'Vergleich',
  titleOf: (time) => `Vergleich: ${time}`,
  panel: 'Vergleich',
  choose: {
    title: 'Was soll verglichen werden?',
    lead: 'Wählen Sie oben beide Seiten. Das Ergebnis zeigt, ob sich ihr Unterschied vom Zufall abhebt.',
  },

  form: {
    label: 'Was verglichen wird',
    what: 'Vergleichen',
    time: 'Zeit',
    by: 'Gruppieren nach',
    earlier: 'Den Zeitraum oben vergleichen mit',
    previous: 'dem Zeitraum davor',
    week: 'derselben Zeit eine Woche zuvor',
    own: 'einem eigenen Zeitraum',
    from: 'von',
    to: 'bis',
    submit: 'Vergleichen',
    sides: {
      a: (dimension) => (dimension === 'target' ? 'App' : GERMAN.dimensions[dimension]),
      b: 'verglichen mit',
    },
    noValues: 'keine in diesem Zeitraum',
    chooseOne: 'Auswählen …',
  },
  comparable: {
    range: 'Zeiträume',
    site: 'Standorte',
    scenario: 'Szenarien',
    extension: 'Versionen der Erweiterung',
    browserVersion: 'Browser-Versionen',
    host: 'Hosts',
    target: 'Apps',
    protocol: 'Protokolle',
    source: 'Nutzer und Proben',
  },
  groupings: {
    none: 'ohne Gruppen',
    type: 'Typ',
    host: 'Host',
    'host-type': 'Host und Typ',
    site: 'Standort',
  },
  times: {
    ttlb: 'Gesamtzeit (bis zum letzten Byte)',
    ttfb: 'Zeit bis zum ersten Byte',
    wait: 'Warten (Anfrage bis erstes Byte)',
    receive: 'Empfang',
    setup: 'Aufbau neuer Verbindungen',
    tls: 'TLS-Handshake',
    tcp: 'TCP-Verbindungsaufbau',
    dns: 'Namensauflösung',
    blocked: 'im Browser blockiert',
  },

  quoted: (name) => `„${name}“`,
  ranges: ({ a, b }) => `${b} gegenüber ${a}.`,
  both: (range) => `Beide Seiten in ${range}.`,
  usersOnly: 'Nur Anfragen der Nutzer, ohne Proben.',
  sidesOf: ({ a, b }) => `${a} gegen ${b}`,
  before: 'vorher',
  now: 'jetzt',
  without: (dimension) => `${GERMAN.dimensions[dimension]} (keine)`,
  outcomes: { slower: 'Langsamer', faster: 'Schneller', same: 'Unverändert', unknown: 'Nicht gemessen' },

  sentence: {
    neither: 'Keine der beiden Seiten wurde gemessen.',
    notBefore: 'Vorher nicht gemessen.',
    notAfter: 'Nicht mehr gemessen.',
    sideMissing: (side) => `${side} wurde nicht gemessen.`,
    mediansInTime: (before, after) => `Der Median liegt jetzt bei ${ms(after)} ms, vorher bei ${ms(before)} ms.`,
    medians: ({ a, b }, before, after) => `Der Median beträgt ${ms(after)} ms bei ${b} und ${ms(before)} ms bei ${a}.`,
    changed: (by, interval) => `${size(by)} als vorher, ${bounds(by, interval)}.`,
    differs: ({ a, b }, by, interval) => `${b} ist ${size(by)} als ${a}, ${bounds(by, interval)}.`,
    unchanged: (why, interval) => `Keine Veränderung, die sich vom Zufall abhebt: ${why} (${span(interval)}).`,
    same: ({ a, b }, why, interval) =>
      `Kein Unterschied zwischen ${a} und ${b}, der sich vom Zufall abhebt: ${why} (${span(interval)}).`,
    includesZero: (by) => `${difference(by)} ms, und das Intervall enthält 0`,
    tooSmall: (by) => `${difference(by)} ms sind weniger als ${leastChange} % des Medians`,
    belowClockStep: (by) => `${difference(by)} ms liegen unter der Uhrenauflösung der Browser`,
    noGroup: 'Keine Gruppe wurde auf beiden Seiten gemessen.',
    noneDiffers: (n) => `Bei keiner von ${count(n)} Gruppen hebt sich der Unterschied vom Zufall ab.`,
    several: (slower, faster, all, group, sentence) => {
      const counts = [
        ...(slower > 0 ? [`${count(slower)} langsamer`] : []),
        ...(faster > 0 ? [`${count(faster)} schneller`] : []),
      ];
      return `Von ${count(all)} Gruppen ${counts.join(', ')}. Am stärksten: ${group}: ${sentence}`;
    },
  },
  doubts: {
    fewBrowsers:
      'Eine Seite hat weniger als 6 Browser; das Intervall ist deshalb über Anfragen statt über Browser bestimmt und zu eng.',
    unknownBrowsers:
      'Die Browser sind nicht bekannt; das Intervall ist deshalb über Anfragen statt über Browser bestimmt und zu eng.',
    fewSamples: 'Eine Seite hat weniger als 30 Messungen: weiter messen.',
    chance: (expected, all) =>
      `Von ${count(all)} Gruppen ${expected === 1 ? 'kann eine' : `können ${count(expected)}`} schon durch Zufall abweichen.`,
    groups: (names, more) =>
      `Weiter messen: ${names.join(', ')}${more > 0 ? ` und ${more} weitere` : ''}. Die Veränderung beruht auf wenigen Messungen oder wenigen Browsern.`,
  },

  chart: {
    heading: 'Unterschied zwischen den Seiten',
    title: 'Unterschied der Mediane',
    note: (minus) => `In Millisekunden, ${minus}; die Linien sind 95-%-Intervalle.`,
    nowMinusBefore: 'jetzt minus vorher',
    minus: ({ a, b }) => `${b} minus ${a}`,
    differenceOf: (group, by) => `${group}: ${difference(by)} ms`,
    slower: 'langsamer',
    faster: 'schneller',
    noise: 'nicht vom Zufall zu unterscheiden',
    noChange: 'unverändert',
  },
  table: {
    title: 'Nach Gruppe',
    columns: {
      group: 'Gruppe',
      outcome: 'Ergebnis',
      median: (side) => `Median, ${side}`,
      difference: 'Unterschied',
      low: '95 % von',
      high: '95 % bis',
      samples: (side) => `Messungen, ${side}`,
    },
    notes: [
      '95 % von und bis: das Intervall des Unterschieds der Mediane, aus einem Bootstrap mit festem Startwert über die Browser.',
      `Ein Unterschied gilt nur dann als Veränderung, wenn das Intervall die 0 ausschließt und er mindestens ${leastChange} % und mindestens die Uhrenauflösung der Browser beträgt.`,
    ],
    leftOut: (n) =>
      `${n === 1 ? 'Eine kleinere Gruppe ist' : `${count(n)} kleinere Gruppen sind`} nicht aufgeführt. Mit den Filtern lassen sie sich zeigen.`,
  },
};

function size(by: number): string {
  return `${ms(Math.abs(by))} ms ${by > 0 ? 'langsamer' : 'schneller'}`;
}

function bounds(by: number, [low, high]: readonly [number, number]): string {
  const [least, most] = by > 0 ? [low, high] : [-high, -low];
  return `Intervall ${ms(least)} bis ${ms(most)} ms: mehr als Zufall`;
}
