import { numbersOf } from '../../../analysis/text/numbers.ts';
import type { DashboardTexts } from '../english/english.ts';

const { count } = numbersOf('de');

export const APP: DashboardTexts['app'] = {
  roles: { read: 'Leserecht', admin: 'Administrator' },
  fewBrowsers: '(wenige Browser)',
  signOut: 'Abmelden',
  otherLanguage: { tag: 'en', name: 'English' },
  skip: 'Zum Inhalt',
  viewsLabel: 'Ansichten',
  controlsLabel: 'Zeitraum und Filter',
  views: {
    overview: 'Übersicht',
    probes: 'Proben',
    compare: 'Vergleich',
    evidence: 'Datenlage',
    settings: 'Einstellungen',
  },

  signIn: {
    title: 'Anmelden',
    question: 'Worauf warten Ihre Nutzer wirklich: auf TLS, das Netz oder den Server?',
    token: 'Token',
    help: 'Beim ersten Start gibt der Collector ein Admin-Token aus. Ein weiteres erzeugen Sie so:',
    ended: 'Die Sitzung ist abgelaufen. Bitte melden Sie sich erneut an.',
    stillSignedIn: (problem) => `Sie sind noch angemeldet. ${problem}`,
  },

  status: {
    loading: 'Wird geladen …',
    updated: (age) => `Aktualisiert ${age}`,
    unreachable: (age) => `Der Collector antwortet nicht. Die Daten wurden ${age} gelesen.`,
    failed: (code, age) => `Die letzte Aktualisierung ist fehlgeschlagen (${code}). Die Daten wurden ${age} gelesen.`,
    refresh: 'Aktualisieren',
    retry: 'Jetzt erneut versuchen',
  },
  clock: {
    lead: 'Die Uhr des Collectors geht vielleicht falsch.',
    details: (actual, expected) =>
      `Sie zeigt ${actual}, erwartet wurde ${expected}. Bis das geklärt ist, werden keine Daten gelöscht, kein Tag abgeschlossen und keine geplanten Berichte erstellt.`,
    confirm: 'Falls die Uhr richtig geht, führen Sie auf dem Rechner des Collectors diesen Befehl aus:',
    clears:
      'Die Warnung verschwindet auch von selbst, sobald eine Stunde lang mindestens drei Browser mit der Uhr übereinstimmen.',
  },

  ranges: {
    '15m': { label: '15 min', words: 'den letzten 15 Minuten' },
    '1h': { label: '1 Stunde', words: 'der letzten Stunde' },
    '24h': { label: '24 Stunden', words: 'den letzten 24 Stunden' },
    '7d': { label: '7 Tage', words: 'den letzten 7 Tagen' },
    '30d': { label: '30 Tage', words: 'den letzten 30 Tagen' },
  },
  between: (from, to) => `der Zeit von ${from} bis ${to}`,
  range: {
    label: 'Zeitraum',
    custom: 'Eigener',
    fromTo: (from, to) => `${from} – ${to}`,
    from: 'Von',
    to: 'Bis (ausschließlich)',
    show: 'Anzeigen',
    endBeforeStart: 'Das Ende muss nach dem Beginn liegen.',
  },
  sort: {
    label: 'Sortieren nach',
    column: (group, basis, column) => `${basis === null ? group : `${group} ${basis}`}, ${column}`,
    descending: 'Absteigend; umkehren',
    ascending: 'Aufsteigend; umkehren',
  },
  filters: {
    label: 'Filter',
    clear: 'Filter aufheben',
    more: (first, others) => `${first} +${count(others)}`,
    by: (dimension) => `Nach ${dimension} filtern`,
    loading: 'Wird geladen …',
    samples: 'Messungen',
    tooFewBrowsers: 'Jeder Wert stammt von zu wenigen Browsern, um gezeigt zu werden.',
    noneKnown: (dimension) => `${dimension}: für diese Messungen nicht bekannt.`,
    close: 'Schließen',
    done: 'Fertig',
  },

  errors: {
    unreachable: 'Der Collector antwortet nicht.',
    notACollector: 'Das ist keine Antwort eines Lastbyte-Collectors.',
    checkAddress: 'Bitte prüfen Sie die Adresse.',
    status: (status) => `Der Collector hat mit Status ${status} geantwortet.`,
    reload: 'Bitte laden Sie die Seite neu.',
    headlines: {
      invalid_request: 'Die Anfrage ist ungültig.',
      invalid_settings: 'Die Einstellungen enthalten Fehler.',
      unknown_parameter: 'Die Adresse enthält einen unbekannten Parameter.',
      invalid_parameter: 'Ein Parameter der Adresse ist ungültig.',
      invalid_time: 'Eine Zeitangabe ist ungültig.',
      invalid_range: 'Der Zeitraum ist ungültig.',
      answer_too_large: 'Die Antwort wäre zu groß.',
      unauthorized: 'Das Token ist ungültig oder fehlt.',
      forbidden: 'Dafür fehlt die Berechtigung.',
      cross_site: 'Die Anfrage kam von einer anderen Website und wurde abgelehnt.',
      not_found: 'Das gibt es hier nicht.',
      name_taken: 'Diesen Namen hat schon eine andere Ansicht.',
      too_many_views: 'Es gibt schon zu viele gespeicherte Ansichten.',
      request_timeout: 'Die Anfrage hat zu lange gedauert.',
      precondition_failed: 'Inzwischen hat jemand anderes gespeichert.',
      wrong_host: 'Der Collector bedient diesen Hostnamen nicht.',
      rate_limited: 'Zu viele Anfragen in kurzer Zeit.',
      quota_exceeded: 'Das Kontingent ist ausgeschöpft.',
      internal_error: 'Im Collector ist ein Fehler aufgetreten.',
      busy: 'Der Collector ist ausgelastet.',
      clock_in_doubt: 'Die Uhr des Collectors geht vielleicht falsch.',
      store_unavailable: 'Der Speicher des Collectors ist nicht erreichbar.',
      store_corrupt: 'Der Speicher des Collectors ist beschädigt.',
      store_full: 'Der Datenträger des Collectors ist voll.',
    },
  },
};
