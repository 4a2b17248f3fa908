import { GERMAN_HTTPS_COST } from '../../analysis/text/german-https-cost.ts';
import { GERMAN_SLOW_GROUP } from '../../analysis/text/german-slow-group.ts';
import { GERMAN_TABLES } from '../../analysis/text/german-tables.ts';
import type { ReportTexts } from './english.ts';
import { MONTHLY_GERMAN } from './monthly-german.ts';

const { count } = GERMAN_TABLES.numbers;

export const GERMAN_REPORT: ReportTexts = {
  ...GERMAN_TABLES,
  monthly: MONTHLY_GERMAN,
  slowGroup: GERMAN_SLOW_GROUP,
  httpsCost: GERMAN_HTTPS_COST,

  nothing: 'Keine Daten.',
  empty: {
    requests: [
      'In diesem Zeitraum wurde nichts gemessen.',
      'Zwischen diesen Zeitpunkten gibt es keine Messungen, auf die diese Filter passen. Bitte mit --from und --to (über HTTP: from und to) einen anderen Zeitraum wählen oder weniger filtern.',
    ],
    probes: [
      'In diesem Zeitraum lief kein Testabruf.',
      'Zwischen diesen Zeitpunkten gibt es keine Messungen von Testabrufen, auf die diese Filter passen. Bitte mit --from und --to (über HTTP: from und to) einen anderen Zeitraum wählen oder weniger filtern; eingerichtet werden Testabrufe in den Einstellungen (docs/probes.md).',
    ],
  },
  sections: { figures: 'Kurz gesagt', tables: 'Tabellen', notes: 'Hinweise', method: 'Methode' },
  moreRows: (left) =>
    left === 1
      ? '1 weitere Zeile wird hier nicht gezeigt; die Formate csv und json enthalten alle.'
      : `${count(left)} weitere Zeilen werden hier nicht gezeigt; die Formate csv und json enthalten alle.`,
  madeAt: (time) => `Erstellt am ${time}.`,
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  date: (year, month, day) => `${day}.${month}.${year}`,
  days: (from, to, zone) => `${from === to ? from : `${from} bis ${to}`} (${zone})`,
  period: (from, to, zone) => `${from} bis ${to} (${zone}, Ende ausgeschlossen)`,
  only: (filters) => `Nur ${filters}`,
  without: 'ohne',
  // German spreadsheets expect the decimal comma, and therefore the semicolon between fields.
  csv: { separator: ';', decimal: ',' },

  method: {
    rules: 'Was zählt und was nicht:',
    range: 'Zeitraum',
    before: 'Verglichen mit',
    filters: 'Filter',
    noFilters: 'keine',
    samples: 'Erfasste Anfragen',
    leftOut: 'In den Zeiten nicht enthalten',
    nothingLeftOut: 'nichts',
    precision: 'Genauigkeit',
    versions: 'Erstellt mit',
    madeBy: (lastbyte, wire, settings) => `Lastbyte ${lastbyte}, wire ${wire}, Einstellungen Revision ${settings}`,
    data: 'Daten',
    hash: (hash) => `SHA-256 ${hash}`,
    command: 'Erneut erstellen',
    folded: 'Zu wenige Browser',
    accounting: 'Zählweise',
    exact: 'Exakt: Jeder Wert wurde gelesen.',
    sketched: (bound) =>
      `Mediane und Perzentile sind Näherungen, die höchstens ${bound} vom exakten Wert abweichen; Anzahlen und Mittelwerte sind exakt.`,
  },

  summary: {
    title: 'Übersicht: wie lange Nutzer warten, Gruppe für Gruppe',
    groups: 'Gruppen',
    requests: 'Anfragen',
    browsers: 'Browser',
    median: 'Median',
    average: 'Mittelwert',
    p95: 'p95',
    newShare: 'Neue Verb.',
    setup: { request: 'Aufbau je Anfrage', connection: 'Aufbau je Verb.' },
    tls: { request: 'TLS je Anfrage', connection: 'TLS je Verb.' },
    wait: { median: 'Warten, Median', average: 'Warten, Mittelwert' },
    verdict: 'Hauptursache',
    doubt: 'Weiter messen',
    perNote: {
      request: 'Je Anfrage: über alle Anfragen im Netz, eine bestehende Verbindung zählt als 0; der Mittelwert.',
      connection: 'Je Verbindung: nur über neue Verbindungen, was eine kostet, wenn sie aufgebaut wird.',
    },
    doubtNote:
      'Neue Verb.: Anteil der Anfragen, die eine neue Verbindung aufbauen. Weiter messen: wenige: unter 30 Anfragen; Browser: weniger als 5; Intervall: der Median ist nicht auf 10 % genau bekannt.',
    fewNote: (groups, minN) =>
      `${groups} ${groups === 1 ? 'Gruppe hat' : 'Gruppen haben'} weniger als ${minN} Anfragen: zu wenige für eine Aussage, daher ist nur ihre Anzahl angegeben.`,
    tooFew: (minN) => `unter ${minN}`,
    twoVerdicts: (typical, average) => `${typical} (typisch), ${average} (Mittel)`,
    verdicts: {
      tls: 'TLS',
      network: 'Netz',
      server: 'Server',
      download: 'Download',
      client: 'Browser',
      unknown: 'offen',
    },
    doubts: { few_samples: 'wenige', few_browsers: 'Browser', wide_interval: 'Intervall' },
  },

  compare: {
    title: (time) => `Vorher und nachher: ${time}`,
    subtitle: (before, after) => `Vorher: ${before}. Nachher: ${after}`,
    table: 'Vorher und nachher',
    columns: {
      group: 'Gruppe',
      nBefore: 'Anfragen vorher',
      nAfter: 'Anfragen nachher',
      before: 'Median vorher',
      after: 'Median nachher',
      difference: 'Unterschied',
      low: 'Mindestens',
      high: 'Höchstens',
      meanBefore: 'Mittelwert vorher',
      meanAfter: 'Mittelwert nachher',
      changed: 'Gesicherte Veränderung',
    },
    outcomes: {
      no: 'nein',
      slower: 'ja, langsamer',
      faster: 'ja, schneller',
      not_measured: 'nicht gemessen',
      few_samples: 'zu wenige Anfragen',
      few_browsers: 'zu wenige Browser',
    },
    note: 'Mindestens, höchstens: der Unterschied der Mediane mit 95 % Sicherheit.',
    how: 'Als Veränderung gilt, was ein Bootstrap über Browser mit 95 % Sicherheit vom Zufall unterscheidet und was mindestens 5 % und mindestens die Zeitauflösung der Browser beträgt. Bei weniger als 30 Anfragen oder 5 Browsern auf einer Seite wird nichts verglichen.',
    leftOut: (groups) =>
      `${groups} ${groups === 1 ? 'kleinere Gruppe ist' : 'kleinere Gruppen sind'} nicht aufgeführt.`,
    beforeHash: (hash) => `Daten der früheren Seite: SHA-256 ${hash}.`,
  },
};
