import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import { GERMAN } from '../../analysis/text/german.ts';
import { numbersOf } from '../../analysis/text/numbers.ts';
import type { PeriodChange } from '../../questions/monthly.ts';
import type { Fix } from '../document/monthly-document.ts';
import type { MonthlyTexts } from './monthly-english.ts';

const { ms: number, difference, count, share, fixed, limit } = numbersOf('de');
const ms = (value: number) => `${number(value)} ms`;
const signed = (value: number) => `${difference(value)} ms`;
const many = (n: number, one: string, more: string) => `${count(n)} ${n === 1 ? one : more}`;

function who(browsers: number | null, month: string | undefined): string {
  if (browsers === null) return 'Die Browser stellten';
  if (month !== undefined) return `Die Browser (${count(browsers)} ${GERMAN.browsersOfMonth.inMonth(month)}) stellten`;
  return browsers === 1 ? '1 Browser stellte' : `${count(browsers)} Browser stellten`;
}

const TYPES: Readonly<Record<string, string>> = {
  document: 'die Seiten selbst',
  script: 'Skripte',
  style: 'Stylesheets',
  image: 'Bilder',
  font: 'Schriften',
  fetch: 'Datenabfragen',
  iframe: 'Frames',
  media: 'Medien',
  beacon: 'Beacons',
  other: 'Übriges',
  long_lived: 'offen gehaltene Anfragen',
};
const TAIL = { blocked: 'Warten im Browser', wait: 'Warten auf den Server', receive: 'Empfang des Inhalts' } as const;

export const MONTHLY_GERMAN: MonthlyTexts = {
  title: 'Bericht zum Nutzererlebnis',
  users: 'Anfragen der Nutzer',
  forManagement: 'Kurz gesagt',
  forEngineers: 'Für die Technik',
  howMany: ({ browsers, browsersMonth, samples, evidence: { usable } }, pageViews) =>
    `${who(browsers, browsersMonth)} ${many(samples, 'Anfrage', 'Anfragen')}${pageViews === 0 ? '' : ` für ${many(pageViews, 'Seitenaufruf', 'Seitenaufrufe')}`}; davon gehen ${count(usable)} in die Zeiten ein.`,
  tooFewToShow:
    'Dieser Bericht beruht auf zu wenigen Browsern und wird daher nicht gezeigt: Eine einzelne Person könnte erkennbar sein.',
  figures: {
    browsers: 'Browser',
    browsersNote: ({ samples, browsersMonth }) =>
      `${browsersMonth === undefined ? '' : `${GERMAN.browsersOfMonth.inMonth(browsersMonth)}; `}${many(samples, 'Anfrage', 'Anfragen')} erfasst`,
    pageViews: 'Seitenaufrufe',
    pageViewsNote: 'über das Netz geladene Dokumente',
    median: 'Wartezeit im Median',
    medianNote: (interval) =>
      interval === null
        ? 'die Hälfte wartet länger'
        : number(interval[0]) === number(interval[1])
          ? 'die Hälfte wartet länger, mit 95 % Sicherheit'
          : `${number(interval[0])} bis ${ms(interval[1])} mit 95 % Sicherheit`,
    average: 'Wartezeit im Mittel',
    averageNote: (p95) => `jede zwanzigste Anfrage dauert länger als ${ms(p95)}`,
    tls: { request: 'TLS je Anfrage', connection: 'TLS je Verbindung' },
    tlsNote: (per, n) =>
      per === 'request' ? 'im Mittel, bestehende Verbindungen zählen\u00A00' : `bei jedem Aufbau, ${count(n)}-mal`,
    change: 'Seit dem vorigen Zeitraum',
    changeNone: 'vorher nicht gemessen',
    changeExpired: 'der vorige Zeitraum ist nicht mehr gespeichert',
    changeNote: ({ changed, interval }) =>
      `Median; ${changed ? 'mehr als Zufall' : 'im Rahmen des Zufalls'}, 95 %: ${signed(interval[0])} bis ${signed(interval[1])}`,
  },
  ms,
  signed,
  wait: (median, average, first) =>
    first === 'median'
      ? `Die Hälfte aller Anfragen ist nach ${ms(median)} bis zum letzten Byte beantwortet. Der Mittelwert liegt bei ${ms(average)}.`
      : `Im Mittel dauert eine Anfrage bis zum letzten Byte ${ms(average)}. Die Hälfte ist nach ${ms(median)} beantwortet.`,
  tlsPerRequest: (mean, median) =>
    `Verschlüsselung (TLS) kostet je Anfrage im Mittel ${ms(mean)} und im Median ${ms(median)}, da die meisten Anfragen eine bestehende Verbindung nutzen.`,
  tlsPerConnection: (mean, median, part) =>
    `Verschlüsselung (TLS) kostet im Median ${ms(median)} und im Mittel ${ms(mean)}, wenn eine Verbindung aufgebaut wird; das ist bei ${share(part)} der Anfragen der Fall.`,
  noTls: 'Es wurde kein TLS-Handshake erfasst, daher lässt sich nicht sagen, was Verschlüsselung kostet.',
  mergedTls:
    'HTTP/3 fasst TCP und TLS in einem Handshake zusammen, daher lässt sich nicht sagen, was TLS allein kostet.',
  changed: (change, [before, after]) =>
    `Gegenüber dem vorigen Zeitraum ging der Median von ${ms(change.before)} auf ${ms(change.after)} und der Mittelwert von ${ms(before)} auf ${ms(after)}. ${verdict(change)}${basis(change)}`,
  notMeasuredBefore: 'Im vorigen Zeitraum wurde nichts gemessen, daher ist kein Vergleich möglich.',
  fixesTitle: 'Was sich am meisten lohnt',
  fixesLead: (pageViews) =>
    pageViews === 0
      ? 'So viel Zeit spart jede Maßnahme höchstens je Anfrage:'
      : 'So viel Zeit spart jede Maßnahme höchstens je Seitenaufruf, über alle seine Anfragen:',
  fix: (fix, perPageView) =>
    `${fix.host}, ${TYPES[fix.type] ?? fix.type}: ${action(fix)}. Spart bis zu ${
      perPageView === null ? `${ms(fix.savedMs / fix.n)} je Anfrage` : `${ms(perPageView)} je Seitenaufruf`
    } (${share(fix.share)} der gesamten Wartezeit).`,
  noFixes: 'Nichts sticht heraus.',
  trendTitle: 'Tag für Tag',
  trendNote: 'Median und Mittelwert aller Anfragen bis zum letzten Byte. Tage ohne Messungen bleiben leer.',
  averageTitle: 'Woraus sich die durchschnittliche Anfrage zusammensetzt',
  averageNote:
    'Phasen je Anfrage, eine bestehende Verbindung zählt als 0 für DNS, TCP und TLS; der Strich ist der Median.',
  gapTitle: 'Warum der Mittelwert nicht der Median ist',
  gapNote: 'Vom Median zum Mittelwert: Verbindungsaufbau, die langsamen Anfragen und die Streuung der übrigen.',
  phasesTitle: 'Jede Phase für sich',
  phasesNote: 'Oberer Balken: Median; unterer: Mittelwert. DNS, TCP und TLS nur für neue Verbindungen.',
  tables: {
    groups: 'Nach Host und Typ',
    hosts: 'Nach Host',
    scenarios: 'Nach Szenario',
    fixes: 'Was sich lohnt',
    periods: 'Dieser Zeitraum und der vorige',
    days: 'Tag für Tag',
  },
  columns: {
    added: 'Aufschlag zur Basis, Median',
    ratio: 'Verhältnis zur Basis',
    baseline: 'Basis',
    what: 'Was zu tun ist',
    saved: 'Gespart je Seitenaufruf',
    share: 'Anteil an der Wartezeit',
    nBefore: 'Anfragen vorher',
    nAfter: 'Anfragen jetzt',
    medianBefore: 'Median vorher',
    medianAfter: 'Median jetzt',
    meanBefore: 'Mittelwert vorher',
    meanAfter: 'Mittelwert jetzt',
    difference: 'Unterschied',
    apart: 'Intervalle getrennt',
    day: 'Tag',
  },
  yes: 'ja',
  no: 'nein',
  allHosts: 'alle Hosts',
  fixKinds: {
    connections: 'Verbindungen offen halten',
    tail: 'die langsamen Anfragen beschleunigen',
    server: 'Serverzeit halbieren',
    download: 'Download halbieren',
    client: 'Warten im Browser halbieren',
  },
  scenarioNote:
    'Aufschlag zur Basis: wie viel länger es bis zum letzten Byte dauert als auf der gleichen Verbindung ohne TLS; leer, wenn beide zu verschiedenen Hosts gingen.',
  fixesNote:
    'Gespart: höchstens, über alle diese Anfragen, geteilt durch die Seitenaufrufe; da Anfragen parallel laufen, gewinnt eine Seite weniger. Verbindungen: gar kein Aufbau. Langsame Anfragen: so schnell wie der Median. Server, Download, Browser: die Hälfte ihres Anteils. Ein Eintrag je Host und Typ, damit sich die Ersparnisse addieren.',
  periodsNote:
    'Intervalle getrennt: die 95-%-Intervalle beider Mediane überlappen sich nicht, ein vorsichtiges Zeichen für eine Veränderung.',
  accounting: ({ first, per, hours, outliers, minN }, zone, left) => [
    first === 'median' ? 'Der Median steht vorn.' : 'Der Mittelwert steht vorn.',
    per === 'request'
      ? 'Verbindungen zählen je Anfrage, eine bestehende als 0.'
      : 'Verbindungen zählen je Verbindung, nur neue.',
    hours === null ? 'Alle Stunden zählen.' : `Nur Geschäftszeiten zählen: ${hours.text}, ${zone}.`,
    outliers.rule === 'none'
      ? 'Ausreißer sind nicht ausgeschlossen.'
      : outliers.rule === 'tukey'
        ? `Ausreißer jenseits der Tukey-Grenze, p75 + 1,5 × (p75 − p25) je Host und Typ, sind ganz ausgeschlossen: ${count(left ?? 0)} Anfragen, als rule gezählt.`
        : `Anfragen über ${count(outliers.ms)} ms sind ganz ausgeschlossen: ${count(left ?? 0)}, als rule gezählt.`,
    `Bei Gruppen mit weniger als ${count(minN)} Anfragen ist nur die Anzahl angegeben.`,
  ],
  withoutRollups: 'Messung für Messung gelesen, da Rollups Ausreißer nicht ausschließen können.',
  hoursFrom: {
    rollups: 'Die Geschäftszeiten sind aus Rollups ganzer Stunden berechnet.',
    both: 'Die Geschäftszeiten sind aus Rollups ganzer Stunden gezählt und, wo sie innerhalb einer UTC-Stunde beginnen oder enden, aus Messungen.',
    samples: 'Die Geschäftszeiten sind Messung für Messung gezählt.',
  },
  exactFences: 'Die Tukey-Grenzen sind aus allen Werten bestimmt.',
  sketchedFences: `Die Quartile der Tukey-Grenzen sind Näherungen, jede auf ${fixed(SKETCH_BOUND * 100, 2)} % genau.`,
  beforeExpired: 'Der vorige Zeitraum ist nicht mehr fein genug gespeichert, daher ist kein Vergleich möglich.',
  beforeHash: (hash) => `Daten des vorigen Zeitraums: SHA-256 ${hash}.`,
};

function verdict({ changed, difference: by, interval }: PeriodChange): string {
  const span = `95 % sicher: ${signed(interval[0])} bis ${signed(interval[1])}`;
  return changed
    ? `Nutzer warten ${ms(Math.abs(by))} ${by > 0 ? 'länger' : 'kürzer'}, und das ist mehr als Zufall (${span}).`
    : `Das ist nicht mehr als Zufall oder zu wenig, um ins Gewicht zu fallen (${span}).`;
}

function basis({ from, over, because }: PeriodChange): string {
  if (from === 'sketch')
    return ' Für das Intervall wurden Anfragen statt Browser gezogen, weil die Messungen zu zahlreich oder nicht mehr gespeichert sind; es ist daher zu eng.';
  if (over === 'browsers') return '';
  return because === 'few_browsers'
    ? ' Nur wenige Browser haben gemessen, daher ist das Intervall zu eng.'
    : ' Die Browser sind nicht bekannt, daher ist das Intervall zu eng.';
}

function action({ kind, tailPhase, tailFrom }: Fix): string {
  switch (kind) {
    case 'connections':
      return 'Verbindungen länger offen halten, damit weniger aufgebaut werden müssen';
    case 'tail':
      return `die ${tailFrom === null ? 'langsamen Anfragen' : `Anfragen über ${limit(tailFrom)}`} beschleunigen${tailPhase === null ? '' : ` (${TAIL[tailPhase]})`}`;
    case 'server':
      return 'die Zeit des Servers halbieren';
    case 'download':
      return 'den Download halbieren, durch Kompression oder kleinere Inhalte';
    case 'client':
      return 'das Warten im Browser halbieren, durch weniger gleichzeitige Anfragen';
  }
}
