import { numbersOf } from './number-words.ts';
import type { Words } from './words.ts';

const { count } = numbersOf('de');

export const GERMAN: Words = {
  nothing: 'Nichts zu zeigen.',
  empty: {
    requests: [
      'In diesem Zeitraum wurde nichts gemessen.',
      'Zwischen diesen Zeitpunkten gibt es keine Messungen, auf die diese Filter passen. Bitte mit --from und --to (über HTTP: from und to) einen anderen Zeitraum wählen, oder weniger filtern.',
    ],
    probes: [
      'In diesem Zeitraum lief keine Probe.',
      'Zwischen diesen Zeitpunkten gibt es keine Messungen von Proben, auf die diese Filter passen. Bitte mit --from und --to (über HTTP: from und to) einen anderen Zeitraum wählen, oder weniger filtern; Proben stehen in den Einstellungen (docs/probes.md).',
    ],
  },
  figures: 'Kurz gesagt',
  tables: 'Tabellen',
  notes: 'Hinweise',
  method: 'Methode',
  rules: 'Was zählt und was nicht',
  moreRows: (left) =>
    left === 1
      ? '1 weitere Zeile steht nicht hier; die Formate csv und json enthalten alle.'
      : `${count(left)} weitere Zeilen stehen nicht hier; die Formate csv und json enthalten alle.`,
  madeAt: (time) => `Erstellt am ${time}.`,
  page: (page, pages) => `Seite ${page} von ${pages}`,
  period: (from, to, zone) => `${from} bis ${to} (${zone}, Ende ausgeschlossen)`,
  only: (filters) => `Nur ${filters}`,
  terms: {
    range: 'Zeitraum',
    before: 'Verglichen mit',
    filters: 'Filter',
    noFilters: 'keine',
    samples: 'Gesehene Anfragen',
    leftOut: 'Nicht in den Zeiten',
    nothingLeftOut: 'nichts',
    precision: 'Genauigkeit',
    versions: 'Erstellt mit',
    settings: 'Einstellungen, Fassung',
    hash: 'Daten',
    command: 'Erneut erstellen',
    folded: 'Zu wenige Browser',
    accounting: 'Zählweise',
  },
  exact: 'Exakt: jeder Wert wurde gelesen.',
  sketched: (bound) =>
    `Mediane und Perzentile aus Skizzen, jeweils höchstens ${bound} neben dem exakten Wert; Anzahlen und Mittelwerte sind exakt.`,
  hash: (hash) => `SHA-256 ${hash}`,
};
