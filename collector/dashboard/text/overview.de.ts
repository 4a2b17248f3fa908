import { MIN_BROWSERS, MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import { numberWords } from '../../analysis/text/numbers.ts';
import type { DashboardTexts } from './t.ts';

const { count } = numberWords('de');

function perStep(seconds: number): string {
  if (seconds < 3600) return `alle ${count(seconds / 60)} min`;
  if (seconds < 86_400) return seconds === 3600 ? 'je Stunde' : `alle ${count(seconds / 3600)} Stunden`;
  return seconds === 86_400 ? 'je Tag' : `alle ${count(seconds / 86_400)} Tage`;
}

export const OVERVIEW: DashboardTexts['overview'] = {
  title: 'Übersicht',
  heading: 'Worauf Nutzer warten',
  findings: {
    title: 'Was sich am meisten lohnt',
    none: 'Der Vergleich der Anfragen innerhalb dieses Zeitraums zeigt keine einzelne Ursache für merklich längeres Warten.',
    all: (n) => `Alle ${count(n)} Befunde`,
    first: (n) => `Nur die ersten ${count(n)}`,
    show: 'Ansehen',
  },
  findingHeading: (group) =>
    group === null ? 'Worauf Nutzer am meisten warten' : `Worauf Nutzer am meisten warten: ${group}`,
  groupsShown: (groups) => (groups === 1 ? '1 Gruppe' : `${count(groups)} Gruppen`),
  tableTitle: (grouping) => `Nach ${grouping}`,
  tableCaption: (grouping) => `Hosts und Ressourcentypen nach ${grouping}: Median und Mittelwert in Millisekunden`,
  exportReport: 'Als Bericht:',
  reportFormats: { html: 'Webseite', pdf: 'PDF', csv: 'CSV' },

  thinDay: {
    sentence: (day, week) =>
      `In den letzten 24 Stunden gab es nur ${day === 1 ? 'eine Anfrage' : `${count(day)} Anfragen`}, in den letzten 7 Tagen ${count(week)}.`,
    showWeek: 'Die letzten 7 Tage anzeigen',
    first: (day) =>
      `${day === 1 ? 'Das ist die erste Anfrage' : `Das sind die ersten ${count(day)} Anfragen`}. Mit mehr Anfragen aus mehr Browsern werden die Befunde verlässlich.`,
    install: 'In weiteren Browsern installieren',
  },
  longLived: {
    sentence: ({ requests, names, more }) =>
      `${requests === 1 ? 'Eine offen gehaltene Anfrage' : `${count(requests)} offen gehaltene Anfragen`} (${names.join(', ')}${more === 0 ? '' : ` und ${count(more)} weitere`}) ${requests === 1 ? 'zählt' : 'zählen'} hier nicht mit.`,
    show: 'Anzeigen',
  },
  trend: {
    title: 'Verlauf',
    note: (stepSeconds) => `Alles in dieser Ansicht, Zeit bis zum letzten Byte in ms, ${perStep(stepSeconds)}.`,
    words: (steps) => `Median und Mittelwert im Verlauf, ${steps === 1 ? 'ein Punkt' : `${count(steps)} Punkte`}.`,
    from: 'Ab',
    n: 'Anfragen',
  },
  group: {
    by: 'Gruppieren nach',
    rows: 'Hosts und Typen',
    toggle: (name) => `Zeilen von ${name}`,
    size: (rows) => (rows === 1 ? '1 Zeile' : `${count(rows)} Zeilen`),
    openAll: 'Alle aufklappen',
    closeAll: 'Alle zuklappen',
    showAll: (rows) => `Alle ${count(rows)} Zeilen anzeigen`,
    leftOut: ({ cells, samples }) =>
      cells === 1
        ? `Eine weitere Gruppe mit kürzerer Gesamtzeit (${count(samples)} Anfragen) ist nicht aufgeführt.`
        : `${count(cells)} weitere Gruppen mit kürzerer Gesamtzeit (zusammen ${count(samples)} Anfragen) sind nicht aufgeführt.`,
    showAllGroups: (groups) => `Alle ${count(groups)} anzeigen`,
  },

  against: {
    label: 'Verglichen mit',
    before: 'dem Zeitraum davor',
    week: 'einer Woche zuvor',
    off: 'nichts',
  },
  changes: {
    cancelled: 'abgebrochen',
    failed: 'der Vergleich ist fehlgeschlagen',
    tooSmall: 'die Gruppe ist zu klein für einen Vergleich',
    few_samples: `weniger als ${MIN_SAMPLES} Anfragen, zu wenige für einen Vergleich`,
    few_browsers: `weniger als ${MIN_BROWSERS} Browser, zu wenige für einen Vergleich`,
    notBefore: 'vorher wurde nichts gemessen',
    notNow: 'in diesem Zeitraum wurde nichts gemessen',
    comparing: 'wird verglichen',
    slower: 'Langsamer',
    faster: 'Schneller',
    none: 'Keine deutliche Veränderung',
    medians: (what, before, now, difference) =>
      `${what}: Median vorher ${before}, jetzt ${now} ms, Unterschied ${difference} ms`,
    between: (low, high) => `zwischen ${low} und ${high} ms (95 %)`,
  },

  columns: {
    host: { label: 'Host', tip: 'Der Host, der die Anfragen beantwortet hat' },
    type: { label: 'Typ', tip: 'Art der Ressource' },
    verdict: { label: 'Hauptursache', tip: 'Die Teile der mittleren Zeit und der größte davon' },
    waited: { label: 'Anteil', tip: 'Anfragen × Mittelwert als Anteil an der Gesamtzeit aller Anfragen' },
    ttlb: { label: 'Bis zum letzten Byte', tip: 'Vom Beginn des Abrufs bis zum letzten Byte' },
    gap: { label: 'Abstand', tip: 'Mittelwert minus Median bis zum letzten Byte in ms' },
    change: {
      label: 'Änderung',
      tip: 'Änderung des Medians bis zum letzten Byte in ms; mit Pfeil, wenn sie signifikant ist',
    },
    samples: { label: 'Messungen', tip: 'Alle Messungen; der Balken zeigt den verwertbaren Teil' },
    reused: {
      label: 'Bestehend',
      tip: 'Anfragen über eine schon bestehende Verbindung; der Balken zeigt alle Arten von Verbindungen',
    },
    browsers: {
      label: 'Browser',
      tip: 'Browser, aus denen diese Messungen stammen; bei mehreren Monaten die des stärksten',
    },
    setup: 'Aufbau',
    setupConnection: {
      label: 'Aufbau je Verbindung',
      tip: 'DNS + TCP + TLS, nur bei neuen Verbindungen: was es kostet, eine Verbindung aufzubauen',
    },
    setupRequest: {
      label: 'Aufbau je Anfrage',
      tip: 'DNS + TCP + TLS über alle Anfragen; eine bestehende Verbindung zählt als 0: die Kosten insgesamt',
    },
    first: (group, row) => `${group}, ${row}`,
    spread: 'Streuung',
    median: 'Median',
    average: 'Mittelwert',
  },
  basis: { ms: 'Millisekunden', perConnection: 'je Verbindung', perRequest: 'je Anfrage' },
  legend: {
    belowStep: 'zu kurz für die Uhr des Browsers',
    middleHalf: 'mittlere Hälfte',
    folded: (columns) => `Überall null oder unbekannt und darum nicht gezeigt: ${columns}`,
    keepMeasuring: 'weiter messen',
    unknown: 'unbekannt; der Grund steht im Hinweis und in der aufgeklappten Zeile',
  },
  spread: ({ p25, median, mean, p75, p95, p99 }) =>
    `p25 ${p25}, Median ${median}, Mittelwert ${mean}, p75 ${p75}, p95 ${p95}, p99 ${p99} ms`,

  row: {
    explain: (name) => `${name} erklären`,
    fewBrowsers: 'Gruppen mit zu wenigen Browsern, um einzeln gezeigt zu werden',
    keepMeasuring: 'weiter messen',
    unknown: (reason) => `unbekannt: ${reason}`,
    nothingUsable: 'keine verwertbaren Messungen',
    belowTenth: 'Weniger als 0,1 ms',
    noNetwork: 'keine Anfrage ging über das Netz',
    browsersUnknown: 'diesem Collector nicht bekannt',
  },
  detail: {
    percentiles: ({ p75, p90, p95, p99, max }) => `p75 ${p75}, p90 ${p90}, p95 ${p95}, p99 ${p99}, höchstens ${max} ms`,
    connections: 'Verbindungen',
    evidence: 'Datenlage',
    status: 'Antwortcodes',
  },
  pair: {
    belowStep: '<Uhr',
    samples: (n) => `n ${count(n)}`,
    interval: (low, high) => `Median zwischen ${low} und ${high} ms (95 %)`,
    belowClockStep: 'Median unter der Uhrenauflösung dieses Browsers',
    variesWidely: 'Zeiten streuen stark',
    keepMeasuring: (reasons) => `weiter messen: ${reasons.join(', ')}`,
  },
  evidence: {
    usable: (usable, all) => `${count(usable)} von ${count(all)} verwertbar`,
    cache: (n) => `${count(n)} aus dem Cache`,
    opaque: (n) => `${count(n)} verborgen`,
    excluded: (n, reason) => `${count(n)} ${reason}`,
  },

  document: {
    ofTotal: (statistic) => `Bis zum letzten Byte, ${statistic}`,
    ofPhase: (phase, statistic) => `${phase}, ${statistic}`,
    change: 'Änderung des Medians',
    changed: 'Änderung signifikant',
    usable: 'Verwertbar',
    yes: 'ja',
    no: 'nein',
  },
};
