import type { DashboardTexts } from './t.ts';

export const COMPONENTS: DashboardTexts['components'] = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  notAllowed: 'Nicht erlaubt',
  cancel: 'Abbrechen',
  unknown: 'unbekannt',
  noRows: 'Keine Zeilen.',
  notes: 'Anmerkungen',
  copyTable: (table) => `Tabelle ${table} kopieren`,
  downloadTable: (table) => `Tabelle ${table} als CSV herunterladen`,

  loading: (name, progress) => `${name}: wird geladen … ${progress}`,
  loadingName: (name) => `${name}: wird geladen`,
  notUpdated: (code, message) => `Nicht aktualisiert${code === null ? '' : ` (${code})`}: ${message} `,
  tryAgain: 'Erneut versuchen',
  cancelled: (name) => `${name}: abgebrochen. `,
  load: 'Laden',

  notResponding: 'Der Collector antwortet nicht',
  notRespondingWhy:
    'Vielleicht startet er gerade neu, oder das Netz ist gestört. Die Seite versucht es von selbst erneut.',
  retryNow: 'Jetzt versuchen',
  serverFailed: 'Der Collector meldet einen Fehler',
  viewFailed: 'Diese Ansicht lässt sich nicht anzeigen',
  code: 'Code',
  status: (status) => `Status ${status}`,

  nothingShown: 'In dieser Ansicht gibt es nichts anzuzeigen',
  clearFilters: 'Filter aufheben',
  show30Days: '30 Tage anzeigen',
  fewBrowsers: 'Zu wenige Browser',
  fewBrowsersIn: (range, folded) =>
    `Die Daten in ${range} stammen von zu wenigen Browsern, um gezeigt zu werden. ${folded}.`,
  fewBrowsersHint: (filtered) =>
    `${filtered ? 'Mit weniger Filtern oder in einem' : 'In einem'} längeren Zeitraum sind es vielleicht mehr. Administratoren sehen alles.`,
  noMatch: 'Keine passenden Messungen',
  noMatchIn: (range, asked) => `Nichts in ${range} passt zu: ${asked}.`,
  nothingMeasured: 'Noch nichts gemessen',
  nothingInRange: 'In diesem Zeitraum wurde nichts gemessen',
  nothingSentIn: (range) => `In ${range} hat kein Browser eine Messung gesendet.`,
  settingUp: 'Die Administration richtet die Messung ein. Zahlen erscheinen hier von selbst.',
  noGuide: 'Die Anleitung konnte nicht geladen werden. Laden Sie die Seite neu.',

  more: 'Im Einzelnen',
  here: 'Hier',
  notTimed: (where) => `${where}: Keine Anfrage war messbar.`,
  allowTimings: 'Der Betreiber kann Ihren Seiten mit dem Antwort-Header Timing-Allow-Origin Zugriff geben.',
  keepMeasuring: 'weiter messen',
  typicalVerdict: (meaning, word) => `Im Mittel: ${meaning}. Typische Anfrage: ${word}`,
  tentative: (meaning, reason) => `${meaning}; weiter messen: ${reason}`,

  dataOf: (hash) => `Daten ${hash}`,

  method: {
    title: 'Methode',
    data: 'Daten',
    rules: 'Regeln',
    dataHash: 'Hash der Daten',
    perConnection: 'Je Verbindung',
    perConnectionMeans: 'nur über neue Verbindungen: was der Aufbau einer Verbindung kostet',
    perRequest: 'Je Anfrage',
    perRequestMeans:
      'über alle Anfragen im Netz; eine bestehende Verbindung zählt als 0: was es die Nutzer insgesamt kostet',
    range: 'Zeitraum',
    rangeOf: (from, to) => `${from} bis ${to}, Ende ausgeschlossen`,
    filters: 'Filter',
    noFilters: 'keine',
    filter: (dimension, values) => `${dimension} = ${values.join(' oder ')}`,
    exclusion: (dimension, values) => `${dimension} ist nicht ${values.join(' oder ')}`,
    versions: 'Versionen',
    noVersions: 'nicht angegeben',
    exact: 'Exakt',
    sketched: (bound) => `Angenähert: Quantile weichen höchstens ${bound} vom exakten Wert ab`,
  },
};
