import { GERMAN } from '../../analysis/text/german.ts';
import { GERMAN_PROBE_REASONS } from '../../analysis/text/german-probe-reasons.ts';
import type { PROBES as ENGLISH_PROBES } from './probes.ts';
import { t } from './t.de.ts';

const { count, difference, ms, wholeShare } = GERMAN.numbers;

export const PROBES: typeof ENGLISH_PROBES = {
  title: 'Testabrufe',
  place: (app, site) => (site === null ? `${app}, Browser ohne Standort` : `${app} vom Standort ${site}`),
  noSite: 'ohne Standort',
  headline: (place, sentence) => `${place}: ${sentence}`,
  noSequence: 'In diesem Zeitraum hat kein Testabruf die Szenarien verglichen.',
  probed: (n) => (n === 1 ? 'Ein Weg gemessen' : `${count(n)} Wege gemessen`),
  runs: {
    unreported:
      'Kein Browser hat gemeldet, wie viele Testabrufe er ausgeführt hat: Ältere Erweiterungen tun das nicht.',
    tooFew: 'Die Zahl der Testabrufe wird nicht gezeigt: zu wenige Browser',
    reported: (n) =>
      n === 1 ? 'Die Browser haben einen Testabruf gemeldet' : `Die Browser haben ${count(n)} Testabrufe gemeldet`,
    skipped: (reported, n, reasons) =>
      n === 0
        ? `${reported}.`
        : `${reported}; ${n === 1 ? 'ein weiterer wurde' : `${count(n)} weitere wurden`} ausgelassen: ${reasons}.`,
    off: (names) =>
      `Abgeschaltet, weil ein Testabruf mit Cookies nicht nach einem Text suchen darf: ${names}. Ändern Sie ihn in den Einstellungen.`,
  },

  none: {
    title: 'Kein Testabruf ist gelaufen',
    announced: 'In diesem Zeitraum ist kein Testabruf gelaufen',
    lead: (range) => `In ${range} gibt es keine Ergebnisse von Testabrufen.`,
    skipped: (reasons) => `Ausgelassene Läufe: ${reasons}.`,
    now: 'Sofort, von diesem Rechner aus:',
    schedule:
      'Nach Zeitplan, aus den Browsern der Nutzer: in den Einstellungen einen Testabruf anlegen. Eine kleine Datei genügt, und ein Budget begrenzt die Anfragen.',
    add: 'Testabruf anlegen',
    longer: '30 Tage zeigen',
  },

  availability: {
    heading: 'Verfügbarkeit',
    title: 'Verfügbarkeit im Zeitverlauf',
    step: (seconds) => (seconds === 3600 ? 'eine Stunde' : seconds === 86_400 ? 'ein Tag (UTC)' : 'eine Woche (UTC)'),
    note: (step) => `Jedes Feld ist ${step}; der fehlgeschlagene Anteil ist rot.`,
    answered: 'beantwortet',
    failed: 'fehlgeschlagen',
    noProbe: 'kein Testabruf',
    almostAll: `>${GERMAN.numbers.fixed(99.5, 1)} %`,
    columns: {
      place: 'App und Standort',
      from: 'Von',
      share: 'Verfügbar',
      up: 'Beantwortet',
      down: 'Fehlgeschlagen',
    },
    counted: 'Beantwortet: mit 2xx oder 3xx. Fehler des Testabrufs selbst werden der App nicht angelastet.',
  },

  paths: {
    details: 'Messwerte und Kosten nach Szenario',
    withoutCost: (n) => (n === 1 ? 'Ein Weg' : `${count(n)} Wege`),
    withoutCostOf: (places) => `, bei denen noch unbekannt ist, was HTTPS kostet: ${places}`,
    noUsers: 'Auf diesem Weg gab es im Zeitraum keine Anfragen von Nutzern.',
    users: (requests, reuse) =>
      `Auf diesem Weg gab es ${requests === 1 ? 'eine Anfrage' : `${count(requests)} Anfragen`} von Nutzern; ${wholeShare(reuse)} der Anfragen über HTTPS nutzten eine bestehende Verbindung.`,
    measurementsOf: (place) => `Messwerte, ${place}`,
    costOf: (place) => `Kosten von HTTPS, ${place}`,
  },

  journeys: {
    step: (journey, step) => `${journey}, Schritt ${step}`,
  },

  sequence: {
    title: 'Messwerte',
    columns: {
      scenario: 'Szenario',
      median: 'Testabrufe, Median',
      p95: 'Testabrufe, p95',
      kept: 'Gewertet',
      runs: 'Läufe',
      method: 'Verfahren',
      not: 'Verworfen oder nicht möglich',
      users: 'Nutzer, Median',
      userRequests: 'Anfragen der Nutzer',
    },
    unavailable: (reasons) => `nicht möglich: ${reasons}`,
    notes: [
      'Gesamtzeit bis zum letzten Byte. Ein Lauf zählt nur, wenn seine eigenen Zeitstempel das Szenario belegen.',
      'Testabrufe rufen eine kleine Datei ab, Nutzer alles Mögliche in jeder Größe. Beides steht nebeneinander und wird nie vermischt.',
    ],
  },
  ratios: {
    title: 'Kosten von HTTPS',
    columns: {
      scenario: 'Szenario',
      baseline: 'Vergleichsbasis',
      ms: 'Aufschlag, Median',
      interval: '95-%-Intervall, ms',
      ratio: 'Verhältnis',
      mean: 'Aufschlag, Mittelwert',
      reason: 'Warum unbekannt',
    },
    interval: (low, high) => `${difference(low)} bis ${difference(high)}`,
    unknown: {
      no_baseline: 'keine Vergleichsbasis',
      not_measured: 'nicht gemessen',
      baseline_not_measured: 'Vergleichsbasis nicht gemessen',
      different_hosts: 'auf anderen Hosts gemessen als die Vergleichsbasis',
      different_types: 'mit anderen Typen von Anfragen gemessen als die Vergleichsbasis',
      different_sites: 'an anderen Standorten gemessen als die Vergleichsbasis',
      different_templates: 'auf anderen Pfaden gemessen als die Vergleichsbasis',
      few_samples: 'weniger als 6 Läufe',
    },
    note: 'Nur aus Testabrufen, vom Beginn des Verbindungsaufbaus bis zum letzten Byte, ohne Namensauflösung und Warteschlange. Wiederaufgenommene und volle Handshakes sind Teile von „alles neu“, soweit die Art des Handshakes bekannt ist.',
  },

  steps: {
    title: 'Schritte nach Standort',
    trend: 'Verlauf',
    noTrend: 'kein Verlauf',
    trendOf: (first, last, steps) => `Verlauf von ${ms(first)} bis ${ms(last)} ms in ${count(steps)} Abschnitten`,
    notMeasured: 'nicht gemessen',
    ofThreshold: (median, threshold) => `${ms(median)} von ${ms(threshold)} ms`,
  },

  probes: { ...t.scenarios, script: 'Skript' },
  failedAt: 'Zeitpunkt',

  methods: {
    keep_alive: 'offen gehalten',
    close_header: 'Connection: close',
    credentialless_frame: 'neuer Frame',
    fresh_subdomain: 'neue Subdomain',
    idle_wait: 'Leerlauf abgewartet',
  },
  probeReasons: GERMAN_PROBE_REASONS,
};
