import { MIN_BROWSERS, MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import { GERMAN } from '../../analysis/text/german.ts';
import { GERMAN_CHANGES } from '../../analysis/text/german-changes.ts';
import { numberWords } from '../../analysis/text/numbers.ts';
import type { PeriodChange } from '../../questions/monthly-change.ts';
import { listPageViews } from '../document/page-views.ts';
import type { MonthlyTexts } from './monthly-english.ts';

const { ms: number, difference, count, share, wholeShare, upTo, fixed } = numberWords('de');
const ms = (value: number) => `${number(value)} ms`;
const signed = (value: number) => `${difference(value)} ms`;
const many = (n: number, one: string, more: string) => `${count(n)} ${n === 1 ? one : more}`;

function who(browsers: number | null, month: string | undefined): string {
  if (browsers === null) return 'Die Browser stellten';
  if (month !== undefined) return `Die Browser (${count(browsers)} ${GERMAN.browsersOfMonth.inMonth(month)}) stellten`;
  return browsers === 1 ? '1 Browser stellte' : `${count(browsers)} Browser stellten`;
}

export const MONTHLY_GERMAN: MonthlyTexts = {
  title: 'Bericht zum Nutzererlebnis',
  users: 'Anfragen der Nutzer',
  decide: 'Was zu entscheiden ist',
  gotSlower: 'Was langsamer und schneller wurde',
  whereWaiting: 'Wo Nutzer warten',
  since: ({ changed, difference: by }, month) => {
    const before = month === null ? 'vorigen Zeitraum' : month;
    return changed
      ? `Im Median sind das ${ms(Math.abs(by))} ${by > 0 ? 'mehr' : 'weniger'} als im ${before}.`
      : `Gegenüber dem ${before} hat sich nichts gesichert verändert.`;
  },
  affects: (browsers, requests, waiting) =>
    `${browsers === null ? `${wholeShare(requests)} der Anfragen` : `${wholeShare(browsers)} der Nutzer`}, ${upTo(waiting * 100, 1)} % der gesamten Wartezeit.`,
  fromTo: (before, after) => `Von ${ms(before)} auf ${ms(after)}.`,
  notCertain: 'nicht gesichert',
  rest: 'nicht aufgeteilt',
  forEngineers: 'Für die Technik',
  howMany: ({ browsers, browsersMonth, samples }, pageViews) =>
    `${who(browsers, browsersMonth)} ${many(samples, 'Anfrage', 'Anfragen')}${pageViews === 0 ? '' : ` für ${many(pageViews, 'Seitenaufruf', 'Seitenaufrufe')}`}.`,
  included: ({ samples, evidence: { usable } }) =>
    `${count(usable)} von ${many(samples, 'Anfrage', 'Anfragen')} gehen in die Zeiten ein.`,
  shownViews: (views) =>
    `Seitenaufrufe sind Dokumente, die Nutzer sahen: ${listPageViews(
      views,
      {
        network: 'über das Netz',
        cache: 'aus dem Cache',
        redirect: 'nach einer Weiterleitung',
        worker: 'über einen Service Worker',
        prerender: 'vorab geladen',
      },
      count,
    )}.`,
  spread: (interval, p95) =>
    `${interval === null ? '' : `Der Median liegt mit 95 % Sicherheit zwischen ${number(interval[0])} und ${ms(interval[1])}. `}Jede zwanzigste Anfrage dauert länger als ${ms(p95)}.`,
  tooFewToShow:
    'Dieser Bericht beruht auf zu wenigen Browsern und wird daher nicht gezeigt: Eine einzelne Person könnte erkennbar sein.',
  ms,
  signed,
  wait: (median, average, first) =>
    first === 'median'
      ? `Die Hälfte aller Anfragen ist nach ${ms(median)} bis zum letzten Byte beantwortet. Der Mittelwert liegt bei ${ms(average)}.`
      : `Im Mittel dauert eine Anfrage bis zum letzten Byte ${ms(average)}. Die Hälfte ist nach ${ms(median)} beantwortet.`,
  tlsPerRequest: (mean, median, opened) =>
    `Verschlüsselung (TLS) kostet je Anfrage im Mittel ${ms(mean)} und im Median ${ms(median)}${median === 0 && opened < 0.5 ? ', da die meisten Anfragen eine bestehende Verbindung nutzen' : `; ${share(opened)} der Anfragen bauen eine Verbindung auf`}.`,
  tlsPerConnection: (mean, median, part) =>
    `Verschlüsselung (TLS) kostet im Median ${ms(median)} und im Mittel ${ms(mean)}, wenn eine Verbindung aufgebaut wird; das ist bei ${share(part)} der Anfragen der Fall.`,
  noTls: 'Es wurde kein TLS-Handshake erfasst, daher lässt sich nicht sagen, was Verschlüsselung kostet.',
  mergedTls:
    'HTTP/3 fasst TCP und TLS in einem Handshake zusammen, daher lässt sich nicht sagen, was TLS allein kostet.',
  changed: (change, [before, after]) =>
    `Gegenüber dem vorigen Zeitraum ging der Median von ${ms(change.before)} auf ${ms(change.after)} und der Mittelwert von ${ms(before)} auf ${ms(after)}. ${verdict(change)}${basis(change)}`,
  notCompared: {
    not_measured: 'Im vorigen Zeitraum wurde nichts gemessen, daher ist kein Vergleich möglich.',
    few_samples: `Für einen Vergleich mit dem vorigen Zeitraum gibt es zu wenige Anfragen: Jeder braucht mindestens ${MIN_SAMPLES}.`,
    few_browsers: `Für einen Vergleich mit dem vorigen Zeitraum gibt es zu wenige Browser: Jeder braucht mindestens ${MIN_BROWSERS}.`,
  },
  changes: GERMAN_CHANGES,
  noFindings:
    'Der Vergleich der Anfragen innerhalb dieses Zeitraums zeigt keine einzelne Ursache für merklich längeres Warten.',
  findingsExpired: 'Ursachen lassen sich nicht mehr bestimmen: Die einzelnen Anfragen sind nicht mehr gespeichert.',
  trendTitle: 'Tag für Tag',
  trendNote: 'Median und Mittelwert aller Anfragen bis zum letzten Byte. Tage ohne Messungen bleiben leer.',
  happened: 'Was geschehen ist',
  averageTitle: 'Woraus sich die durchschnittliche Anfrage zusammensetzt',
  averageNote:
    'Phasen je Anfrage, eine bestehende Verbindung zählt als 0 für DNS, TCP und TLS; der Strich ist der Median.',
  gapTitle: 'Warum der Mittelwert nicht der Median ist',
  gapNote: 'Vom Median zum Mittelwert: Verbindungsaufbau, die langsamen Anfragen und die Streuung der übrigen.',
  phasesTitle: 'Jede Phase für sich',
  phasesNote: 'Oberer Balken: Median; unterer: Mittelwert. DNS, TCP und TLS nur für neue Verbindungen.',
  availability: 'Verfügbarkeit',
  runsFrom: (moment) => `Läufe sind ab ${moment} vorhanden.`,
  allHours: 'Die Geschäftszeiten gelten hier nicht.',
  tables: {
    apps: 'Nach App',
    sites: 'Nach Standort',
    groups: 'Nach Host und Typ',
    hosts: 'Nach Host',
    scenarios: 'Nach Szenario',
    findings: (n) => `Alle Befunde (${count(n)})`,
    periods: 'Dieser Zeitraum und der vorige',
    days: 'Tag für Tag',
  },
  columns: {
    added: 'Aufschlag zur Basis, Median',
    ratio: 'Verhältnis zur Basis',
    baseline: 'Basis',
    what: 'Was zu tun ist',
    found: 'Befund',
    perRequest: 'Gespart je Anfrage',
    share: 'Anteil an der Gesamtzeit',
    users: 'Anteil der Nutzer',
    against: (month) => (month === null ? 'Gegenüber vorher' : `Gegenüber ${month}`),
    waiting: 'Anteil am Warten',
    largest: 'Wofür die Zeit vergeht',
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
  scenarioNote:
    'Aufschlag zur Basis: wie viel länger es bis zum letzten Byte dauert als auf der gleichen Verbindung ohne TLS; leer, wenn beide zu verschiedenen Hosts gingen.',
  findingsNote:
    'Gespart: gegenüber gleichartigen Anfragen anderswo. Befunde werden einer nach dem anderen gesucht, sodass keine Zeit doppelt zählt. Geschäftszeiten und Ausreißerregeln gelten hier nicht.',
  periodsNote: `Intervalle getrennt: Die 95-%-Intervalle beider Mediane überlappen sich nicht, ein vorsichtiges Zeichen für eine Veränderung; nur bei mindestens ${MIN_SAMPLES} Anfragen und ${MIN_BROWSERS} Browsern in jedem Zeitraum.`,
  accounting: ({ first, per, hours, outliers, minN }, zone, left) => [
    first === 'median' ? 'Der Median steht vorn.' : 'Der Mittelwert steht vorn.',
    per === 'request'
      ? 'Verbindungen zählen je Anfrage, eine bestehende als 0.'
      : 'Verbindungen zählen je Verbindung, nur neue.',
    hours === null ? 'Alle Stunden zählen.' : `Nur Geschäftszeiten zählen: ${hours.text}, ${zone}.`,
    outliers.rule === 'none'
      ? 'Ausreißer sind nicht ausgeschlossen.'
      : outliers.rule === 'tukey'
        ? `Ausreißer jenseits der Tukey-Grenze, p75 + 1,5 × (p75 − p25) je Host und Typ, sind ganz ausgeschlossen: ${many(left ?? 0, 'Anfrage', 'Anfragen')}.`
        : `Anfragen über ${count(outliers.ms)} ms sind ganz ausgeschlossen: ${count(left ?? 0)}.`,
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
    ? `Nutzer warten ${ms(Math.abs(by))} ${by > 0 ? 'länger' : 'kürzer'} (${span}).`
    : `Das ist keine gesicherte Veränderung oder zu wenig, um ins Gewicht zu fallen (${span}).`;
}

function basis({ from, because }: PeriodChange): string {
  if (because === 'chosen_browsers') return ` ${GERMAN.change.because.chosen_browsers}`;
  if (from === 'sketch')
    return ' Für das Intervall wurden Anfragen statt Browser gezogen, weil die Messungen zu zahlreich oder nicht mehr gespeichert sind. Die wahre Unsicherheit ist größer.';
  return because === null ? '' : ` ${GERMAN.change.because[because]}`;
}
