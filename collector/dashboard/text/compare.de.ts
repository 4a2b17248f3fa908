import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import { GERMAN } from '../../analysis/text/german.ts';
import type { COMPARE as ENGLISH_COMPARE } from './compare.ts';

const { count, difference, ms } = GERMAN.numbers;
const span = ([low, high]: readonly [number, number]) => `${difference(low)} bis ${difference(high)} ms`;
const leastChange = MIN_RELATIVE_CHANGE * 100;

export const COMPARE: typeof ENGLISH_COMPARE = {
  title: 'Vergleich',
  titleOf: (time) => `Vergleich: ${time}`,
  panel: 'Vergleich',
  choose: {
    title: 'Was soll verglichen werden?',
    lead: 'Wählen Sie oben beide Seiten. Das Ergebnis zeigt, ob sie sich um mehr als den Zufall unterscheiden.',
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
    source: 'Nutzer und Testabrufe',
  },
  groupings: {
    none: 'ohne Gruppen',
    target: 'App',
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
  usersOnly: 'Nur Anfragen der Nutzer, ohne Testabrufe.',
  sidesOf: ({ a, b }) => `${a} gegen ${b}`,
  before: 'vorher',
  now: 'jetzt',
  without: (dimension) => `${GERMAN.dimensions[dimension]} (keine)`,
  outcomes: {
    slower: 'Langsamer',
    faster: 'Schneller',
    same: 'Unverändert',
    unknown: 'Nicht gemessen',
    few: 'Nicht verglichen',
  },

  sentence: {
    neither: 'Keine der beiden Seiten wurde gemessen.',
    notBefore: 'Vorher nicht gemessen.',
    notAfter: 'Nicht mehr gemessen.',
    sideMissing: (side) => `${side} wurde nicht gemessen.`,
    mediansInTime: (before, after, why) =>
      `Der Median liegt jetzt bei ${ms(after)} ms und lag vorher bei ${ms(before)} ms. ${why}`,
    medians: ({ a, b }, before, after, why) =>
      `Der Median beträgt ${ms(after)} ms bei ${b} und ${ms(before)} ms bei ${a}. ${why}`,
    notCompared: GERMAN.change.notCompared,
    changed: (by, interval) => `${size(by)} als vorher (${bounds(by, interval)}).`,
    differs: ({ a, b }, by, interval) => `${b} ist ${size(by)} als ${a} (${bounds(by, interval)}).`,
    unchanged: (by, interval, why) => `Keine gesicherte Veränderung (${difference(by)} ms; ${span(interval)})${why}.`,
    same: ({ a, b }, by, interval, why) =>
      `Kein gesicherter Unterschied zwischen ${a} und ${b} (${difference(by)} ms; ${span(interval)})${why}.`,
    tooSmall: `: weniger als ${leastChange} % des Medians`,
    belowClockStep: ': weniger, als die Uhren der Browser messen können',
    noGroup: 'Keine Gruppe lässt sich vergleichen: Jede Seite braucht mindestens 30 Anfragen und 5 Browser.',
    noneDiffers: (n) =>
      n === 1
        ? 'Kein gesicherter Unterschied bei der einzigen verglichenen Gruppe.'
        : `Kein gesicherter Unterschied bei ${count(n)} verglichenen Gruppen.`,
    several: (slower, faster, all, group, sentence) => {
      const counts = [
        ...(slower > 0 ? [`${count(slower)} langsamer`] : []),
        ...(faster > 0 ? [`${count(faster)} schneller`] : []),
      ];
      return `Von ${count(all)} Gruppen ${counts.join(', ')}. Am stärksten: ${group}: ${sentence}`;
    },
  },
  doubts: {
    ...GERMAN.change.because,
    chance: (expected, all) =>
      `Von ${count(all)} Gruppen ${expected === 1 ? 'kann eine' : `können ${count(expected)}`} schon durch Zufall abweichen.`,
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
    noise: 'kein gesicherter Unterschied',
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
  return `${ms(least)} bis ${ms(most)} ms mit 95 % Sicherheit`;
}
