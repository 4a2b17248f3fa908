import type { PatternFault } from '../../../shared/redact/match-pattern.ts';
import type { SettingsTexts } from './settings.ts';

const number = new Intl.NumberFormat('de');
const count = (n: number, one: string, many: string) => (n === 1 ? one : `${number.format(n)} ${many}`);

const PATTERN_FAULTS: Readonly<Record<PatternFault, string>> = {
  every_site: 'passt auf jede Website; nennen Sie den Host der App: https://app.example.com/*',
  too_long: 'ist länger als 300 Zeichen, so gezählt, wie Browser es schreiben',
  no_pattern: 'hat nicht die Form Schema://Host/Pfad, zum Beispiel https://app.example.com/*',
  every_host: 'passt auf jeden Host; nennen Sie den der App: https://app.example.com/*',
  public_suffix: 'passt auf eine ganze Top-Level-Domain; nennen Sie die Domain: *.example.com',
  host: 'hat einen Host, der weder ein Name noch eine Adresse noch *.Name ist',
  port: 'hat einen Port über 65535',
  fragment: 'enthält ein Fragment (#), das in keiner Anfrage vorkommt',
  space: 'enthält ein Leer- oder Steuerzeichen; für ein Leerzeichen steht %20',
  placeholder:
    'enthält geschweifte Klammern im Pfad, die nur für sich selbst stehen; schreiben Sie * für Veränderliches oder %7B und %7D',
};

const ID = { label: 'Kennung', hint: 'Kleinbuchstaben, Ziffern und Bindestriche.' };
const WEBHOOK = {
  url: { label: 'Adresse' },
  bearerFrom: { label: 'Bearer-Token' },
};

export const texts: SettingsTexts = {
  title: 'Einstellungen',
  lead: 'Was gemessen wird und wie. Änderungen wirken, sobald Sie sie speichern.',
  readOnlyLead: 'Was gemessen wird und wie. Nur Administratoren können Einstellungen ändern.',

  sections: {
    targets: { title: 'Apps', intro: 'Die Apps, die beobachtet werden. Außerhalb ihrer Seiten wird nichts erfasst.' },
    probes: {
      title: 'Testabrufe',
      intro:
        'Regelmäßige Anfragen aus den Browsern der Nutzer, die messen, was HTTPS kostet und ob die Apps erreichbar sind.',
    },
    alerts: {
      title: 'Alarme',
      intro:
        'Eine Regel überwacht die Zeiten der Nutzer oder die Verfügbarkeit aus Testabrufen und meldet, wenn ein Grenzwert überschritten wird.',
    },
    reports: {
      title: 'Regelmäßige Berichte',
      intro:
        'Berichte, die nach Zeitplan erstellt und in einen Ordner, an einen Webhook oder per E-Mail geliefert werden.',
    },
    data: {
      title: 'Aufbewahrung und Datenschutz',
      intro:
        'Ältere Daten werden stündlich gelöscht. Gröbere Auflösungen werden aus feineren berechnet und deshalb mindestens so lange aufbewahrt.',
    },
    keys: {
      title: 'Schlüssel',
      intro: 'Zugangsschlüssel für Browser und Personen. Gespeichert werden nur ihre Hashwerte.',
    },
    history: {
      title: 'Verlauf',
      intro: 'Jede Änderung ist eine Revision. Rückgängig machen legt eine neue an, es geht also nichts verloren.',
    },
  },

  fields: {
    'targets/name': { label: 'Name' },
    'targets/id': ID,
    'targets/match': {
      label: 'Seiten (ein Muster pro Zeile)',
      hint: 'Das Sternchen steht für beliebigen Text. Eine ganze Website: https://erp.example.com/*',
    },
    'targets/exclude/path': { label: 'Pfad' },
    'targets/exclude/host': { label: 'Host' },
    'targets/exclude/type': { label: 'Typ' },
    'targets/templateRules': {
      label: 'Pfadvorlagen (eine pro Zeile)',
      hint: '{name} steht für einen Abschnitt, * für einen, der wie üblich zusammengefasst wird, ** am Ende für beliebig viele: /users/{user}/**',
    },
    'targets/serverTimingMetrics': {
      label: 'Server-Timing-Werte, die behalten werden (einer pro Zeile)',
      hint: 'Die Namen, die der Server vergibt, etwa cpu oder db.',
    },
    'targets/unlockTimings': {
      label: 'Hosts, deren verborgene Zeiten freigegeben werden (einer pro Zeile)',
      hint: 'Von anderen Hosts melden Browser kaum mehr als die Gesamtzeit. Für die hier genannten melden sie alle Phasen, allerdings auch den eigenen Skripten der App, die daraus auf den Cache eines Nutzers schließen könnten. Die Browser fragen um Erlaubnis für diese Hosts.',
    },

    'probes/enabled': {
      label: 'Testabrufe ausführen',
      hint: 'Nach dem Abschalten enden alle Testabrufe, sobald der Browser die Einstellungen wieder abruft, also innerhalb von fünf Minuten.',
    },
    'probes/requestsPerHour': { label: 'Obergrenze je Browser', unit: 'Anfragen pro Stunde' },
    'probes/schedule/name': { label: 'Name' },
    'probes/schedule/id': {
      ...ID,
      hint: 'Kleinbuchstaben, Ziffern und Bindestriche. Der Server erhält sie im Header X-Lastbyte-Probe.',
    },
    'probes/schedule/recording': {
      label: 'Aufzeichnung',
      hint: 'In den Chrome DevTools: Recorder, Exportieren, JSON. Kennwörter darin werden vor dem Speichern zu Variablen. Nur Roboter spielen sie ab.',
    },
    'probes/schedule/target': { label: 'App' },
    'probes/schedule/everyMinutes': { label: 'Alle', unit: 'Minuten' },
    'probes/schedule/share': { label: 'Anteil der Browser', hint: '1 bedeutet alle, 0,02 einer von fünfzig.' },
    'probes/schedule/url': { label: 'Adresse', hint: 'Eine kleine Datei, die sich nie ändert.' },
    'probes/schedule/otherUrl': { label: 'Adresse mit dem anderen Schema' },
    'probes/schedule/repetitions': { label: 'Wiederholungen' },
    'probes/schedule/sites': { label: 'Nur an diesen Standorten (einer pro Zeile)', hint: 'Leer: alle Standorte.' },
    'probes/schedule/onlyWhenIdle': { label: 'Nur nach einer Minute ohne Tastatur- oder Mauseingabe' },
    'probes/schedule/onlyOnPower': { label: 'Nur im Netzbetrieb' },
    'probes/schedule/wildcard': { label: 'Alle Subdomains des Hosts führen zum selben Server' },
    'probes/schedule/cookies': { label: 'Cookies des Nutzers mitsenden' },
    'probes/schedule/steps/url': { label: 'Adresse' },
    'probes/schedule/steps/text': { label: 'Erwarteter Text' },
    'probes/schedule/steps/thresholdMs': { label: 'Schwellwert', unit: 'ms' },

    'alerts/everySeconds': { label: 'Auswerten alle', unit: 's' },
    'alerts/dashboardUrl': { label: 'Adresse dieses Dashboards', hint: 'Benachrichtigungen verweisen darauf.' },
    'alerts/lang': { label: 'Sprache der Benachrichtigungen' },
    'alerts/webhooks/name': { label: 'Name' },
    'alerts/webhooks/id': ID,
    'alerts/webhooks/url': WEBHOOK.url,
    'alerts/webhooks/bearerFrom': WEBHOOK.bearerFrom,
    'alerts/rules/name': { label: 'Name' },
    'alerts/rules/id': ID,
    'alerts/rules': { label: 'Überwacht' },
    'alerts/rules/target': { label: 'App' },
    'alerts/rules/host': { label: 'Host' },
    'alerts/rules/type': { label: 'Typ' },
    'alerts/rules/site': { label: 'Standort' },
    'alerts/rules/journey': { label: 'Läufe eines Ablaufs' },
    'alerts/rules/eachSite': { label: 'Jeder Standort für sich' },
    'alerts/rules/connection': { label: 'Verbindung' },
    'alerts/rules/scenario': { label: 'Szenario' },
    'alerts/rules/webhooks': { label: 'Ausgewählte Webhooks' },
    'alerts/rules/mailTo': {
      label: 'E-Mail an (eine Adresse pro Zeile)',
      hint: 'Gesendet über den Mailserver der regelmäßigen Berichte.',
    },
    'alerts/rules/availabilityBelow': {
      label: 'Alarm bei Verfügbarkeit unter',
      hint: 'Als Anteil: 0,99 bedeutet 99 %.',
    },
    'alerts/rules/statistic': { label: 'Kennzahl' },
    'alerts/rules/time': { label: 'Zeit' },
    'alerts/rules/aboveMs': { label: 'Alarm über', unit: 'ms' },
    'alerts/rules/windowMinutes': { label: 'Zeitfenster', unit: 'Minuten' },
    'alerts/rules/minSamples': { label: 'Mindestens', unit: 'Messungen' },
    'alerts/rules/breaches': { label: 'Alarm nach', unit: 'Überschreitungen' },
    'alerts/rules/evaluations': { label: 'innerhalb der letzten', unit: 'Auswertungen' },
    'alerts/rules/hysteresis': {
      label: 'Abstand zur Entwarnung',
      hint: 'Als Anteil: 0,1 entwarnt bei 90 % des Grenzwerts.',
    },

    'reports/organisation': { label: 'Organisation', hint: 'Im Titel des Monatsberichts.' },
    'reports/mail/host': { label: 'SMTP-Host' },
    'reports/mail/port': { label: 'Port' },
    'reports/mail/tls': {
      label: 'Verschlüsselung',
      hint: 'Unterstützt der Server sie nicht, wird keine E-Mail gesendet.',
    },
    'reports/mail/from': { label: 'Absender' },
    'reports/mail/user': { label: 'Benutzer' },
    'reports/mail/passwordFrom': { label: 'Passwort' },
    'reports/schedule/name': { label: 'Name' },
    'reports/schedule/id': { ...ID, hint: 'Kleinbuchstaben, Ziffern und Bindestriche. Teil der Dateinamen.' },
    'reports/schedule/cron': {
      label: 'Zeitplan',
      hint: 'Minute, Stunde, Tag, Monat, Wochentag: 0 6 1 * * ist 06:00 Uhr am Ersten jedes Monats.',
    },
    'reports/schedule/zone': { label: 'Zeitzone', hint: 'Zum Beispiel Europe/Berlin.' },
    'reports/schedule/view': { label: 'Ansicht' },
    'reports/schedule/period': { label: 'Zeitraum' },
    'reports/schedule/lang': { label: 'Sprache' },
    'reports/schedule/formats': { label: 'Formate', hint: 'Keines ausgewählt: PDF.' },
    'reports/schedule/first': { label: 'Wichtigste Kennzahl' },
    'reports/schedule/per': { label: 'TLS und Aufbau je' },
    'reports/schedule/businessHours': { label: 'Geschäftszeiten', hint: 'Zum Beispiel Mon-Fri 08:00-18:00.' },
    'reports/schedule/outliers': {
      label: 'Ausreißer',
      hint: 'none, tukey oder cap:10000 für alles über 10 s.',
    },
    'reports/schedule/minN': { label: 'Kleinste Gruppe', unit: 'Anfragen' },
    'reports/schedule/folder': { label: 'Ordner', hint: 'Innerhalb des Ordners von lastbyte serve --reports.' },
    'reports/schedule/mailTo': { label: 'E-Mail an (eine Adresse pro Zeile)' },
    'reports/schedule/webhook': { label: 'Webhook' },
    'reports/schedule/webhook/url': WEBHOOK.url,
    'reports/schedule/webhook/bearerFrom': WEBHOOK.bearerFrom,

    'retention/sampleDays': { label: 'Einzelne Messungen', unit: 'Tage' },
    'retention/hourDays': { label: 'Stundenwerte', unit: 'Tage' },
    'retention/dayDays': { label: 'Tageswerte', unit: 'Tage' },
    'retention/monthDays': { label: 'Monatswerte', unit: 'Tage' },
    'privacy/foldSmallGroups': {
      label: 'Gruppen mit weniger als 5 Browsern',
      hint: 'Solche Gruppen könnten eine Person erkennen lassen, auch durch Differenzbildung. Administratoren sehen sie immer.',
    },
    'sites/site': { label: 'Standort' },
    'sites/networks': { label: 'Netze (eines pro Zeile)', hint: 'Zum Beispiel 10.1.0.0/16 oder 2001:db8:1::/48.' },
    'delivery/intervalSeconds': { label: 'Browser senden mindestens alle', unit: 's' },
  },
  secret: {
    env: {
      label: 'Name der Variablen',
      hint: 'Beginnt mit LASTBYTE_SECRET_. Wird bei jeder Verwendung gelesen und nie in den Einstellungen gespeichert.',
    },
    file: {
      label: 'Dateiname',
      hint: 'Im Ordner von lastbyte serve --secrets-dir. Wird bei jeder Verwendung gelesen und nie in den Einstellungen gespeichert.',
    },
  },
  secretSources: {
    label: ({ of }) => `${of}: Quelle`,
    none: 'ohne',
    here: 'hier eingetragen',
    env: 'in einer Umgebungsvariablen des Servers',
    file: 'in einer Datei im Geheimnisordner des Servers',
  },

  decimalMark: ',',
  any: 'beliebig',
  noneSet: 'ohne',
  forever: 'unbegrenzt',
  allHours: 'rund um die Uhr',
  usual: 'Standard',
  sameAddress: 'dieselbe Adresse',

  idIs: 'Kennung:',
  changeId: 'Ändern',
  remove: 'Entfernen',
  removeItem: ({ title }) => `${title} entfernen`,

  targets: {
    untitled: 'Neue App',
    noPages: 'noch keine Seiten',
    none: 'Noch keine Apps: Die eingerichteten Browser erfassen nichts.',
    add: 'App hinzufügen',
    addSeen: ({ name }) => `${name} hinzufügen, wovon Ihre Apps laden`,
    namePlaceholder: 'ERP',
    onlyThisPage: ({ line }) => `${line} ist eine einzelne Seite.`,
    wholeSite: ({ site }) => `Die ganze Website beobachten: ${site}`,
    rules: 'Ausschlussregeln',
    rulesHint:
      'Anfragen, die gezählt, aber nicht in Zeiten eingerechnet werden, etwa Statusabfragen. Eine Regel greift, wenn alle ihre Felder zutreffen.',
    rule: ({ n }) => `Regel ${n}`,
    removeRule: ({ n }) => `Regel ${n} entfernen`,
    addRule: 'Regel hinzufügen',
    further: 'Pfadvorlagen, Server-Timing, verborgene Zeiten',
  },

  probes: {
    none: 'Es sind keine Testabrufe eingerichtet.',
    setUp: 'Testabrufe einrichten',
    budget: ({ needed }) => `Der Plan braucht bis zu ${needed}.`,
    off: 'Diese Testabrufe sind abgeschaltet, weil sie Cookies des Nutzers senden und nach einem Text suchen: Entfernen Sie eines von beiden.',
    untitled: 'Neuer Testabruf',
    addSequence: 'Messreihe hinzufügen',
    addJourney: 'Klickpfad hinzufügen',
    addScript: 'Skript hinzufügen',
    sequence: ({ url, minutes }) => `Messreihe für ${url}, alle ${minutes} min`,
    journey: ({ steps, minutes }: { readonly steps: number; readonly minutes: string }) =>
      `Klickpfad mit ${count(steps, 'einem Schritt', 'Schritten')}, alle ${minutes} min, in Robotern`,
    notJson: 'Diese Datei ist kein JSON. Wählen Sie im Recorder „Exportieren“ und dann „JSON“.',
    variables: ({ names, hidden }: { readonly names: string; readonly hidden: number }) =>
      `${hidden > 0 ? `${count(hidden, 'Ein Geheimnis wurde', 'Geheimnisse wurden')} ersetzt. ` : ''}Roboter brauchen Werte für: ${names}.`,
    script: ({ steps, minutes }) => `Skript mit ${count(steps, 'einem Schritt', 'Schritten')}, alle ${minutes} min`,
    further: 'Wo und wann',
    steps: 'Schritte, nacheinander bis zum ersten Fehler',
    step: ({ n }) => `Schritt ${n}`,
    removeStep: ({ n }) => `Schritt ${n} entfernen`,
    addStep: 'Schritt hinzufügen',
  },

  alerts: {
    none: 'Es sind keine Alarme eingerichtet.',
    setUp: 'Alarme einrichten',
    webhooks: 'Webhooks',
    untitledWebhook: 'Neuer Webhook',
    addressElsewhere: 'Adresse außerhalb der Einstellungen gespeichert',
    noWebhooks: 'Keine Webhooks. Regeln können stattdessen per E-Mail benachrichtigen.',
    notified: 'Benachrichtigen',
    whichWebhooks: { all: 'alle Webhooks', some: 'ausgewählte Webhooks', none: 'keinen Webhook, nur per E-Mail' },
    addWebhook: 'Webhook hinzufügen',
    rules: 'Regeln',
    untitledRule: 'Neue Regel',
    noRules: 'Noch keine Regeln.',
    addRule: 'Alarm hinzufügen',
    kinds: { time: 'Zeiten der Nutzer', availability: 'Verfügbarkeit aus Testabrufen' },
    noJourney: 'nein: Anfragen der Testabrufe',
    eachJourney: 'jeder Ablauf für sich',
    statistics: { median: 'Median', p95: '95. Perzentil' },
    times: { ttfb: 'Bis zum ersten Byte', ttlb: 'Bis zum letzten Byte' },
    availabilityNote: ({ below, journey }) =>
      `Verfügbarkeit ${journey === '' ? '' : journey === '*' ? 'eines Ablaufs ' : `von ${journey} `}unter ${below}`,
    timeNote: ({ statistic, time, above }) => `${statistic} von „${time}“ über ${above} ms`,
    further: 'Verbindungen und Empfindlichkeit',
    sendTest: 'Test senden',
    sendTestMail: 'Test-E-Mail senden',
    sendTestTo: ({ title }) => `Test an ${title} senden`,
    mail: 'die E-Mail-Empfänger',
    sending: 'Wird gesendet …',
    delivered: ({ status }) => (status === null ? 'Zugestellt.' : `Zugestellt: Status ${status}.`),
    notDelivered: ({ status, error }) =>
      `Nicht zugestellt${status === null ? '' : ` (Status ${status})`}: ${error ?? 'kein Grund angegeben'}.`,
    statusPanel: 'Stand der Alarme',
    statusTitle: 'Aktueller Stand',
    columns: {
      rule: 'Regel',
      state: 'Zustand',
      since: 'Seit',
      value: 'Letzter Wert',
      samples: 'Messungen',
      at: 'Ausgewertet',
    },
    states: { firing: 'Alarm', never: 'noch nicht ausgewertet', ok: 'in Ordnung' },
    tooFewSamples: 'zu wenige Messungen',
    undelivered: ({ rule, webhook, attempts, error, next }) =>
      `Eine Benachrichtigung von ${rule} konnte ${webhook} in ${count(attempts, 'einem Versuch', 'Versuchen')} nicht zugestellt werden${error === null ? '' : `: ${error}`}. Nächster Versuch: ${next}.`,
  },

  reports: {
    none: 'Es sind keine regelmäßigen Berichte eingerichtet.',
    setUp: 'Berichte einrichten',
    untitled: 'Neuer Bericht',
    add: 'Bericht hinzufügen',
    note: ({ view, when, channels }) =>
      `${view}, um ${when}, ${channels.length === 0 ? 'noch ohne Empfänger' : channels.join(', ')}`,
    channels: {
      folder: ({ folder }) => `Ordner ${folder}`,
      webhook: 'Webhook',
      mail: ({ to }) => `E-Mail an ${to}`,
    },
    views: {
      monthly: 'Monatsbericht',
      summary: 'Zusammenfassung',
      scenarios: 'Szenarien',
      phases: 'Phasen',
      pages: 'Seiten',
      ratios: 'Verhältnisse',
      probes: 'Testabrufe',
      compare: 'Vergleich',
    },
    periods: { month: 'letzter voller Monat', week: 'letzte volle Woche', day: 'letzter voller Tag' },
    languages: { en: 'Englisch', de: 'Deutsch' },
    statistics: { median: 'Median', average: 'Mittelwert' },
    per: { request: 'Anfrage', connection: 'Verbindung' },
    delivery: 'Zustellung: einer oder mehrere Wege',
    webhookChoices: { none: 'ohne', post: 'jede Datei senden' },
    countingRules: 'Zählregeln',
    filters: 'Filter',
    mailServer: 'Mailserver',
    noMailServer: 'Kein Mailserver: Berichte können nicht per E-Mail gesendet werden.',
    setUpMail: 'Mailserver einrichten',
    removeMailServer: 'Mailserver entfernen',
    security: { starttls: 'STARTTLS', implicit: 'TLS von Anfang an', none: 'keine (Klartext)' },
    generate: 'Jetzt erstellen',
    generateNow: ({ report }) => `Jetzt erstellen: ${report}`,
    generating: 'Wird erstellt …',
    stillGenerating: 'Wird noch erstellt und erscheint dann unten in der Liste.',
    sent: ({ channels, files }) => `Zugestellt (${channels}): ${files}`,
    noMoreAttempts: 'Keine weiteren Versuche.',
    nextAttempt: ({ at }) => `Nächster Versuch: ${at}.`,
    statusPanel: 'Stand der Berichte',
    runs: 'Letzte Läufe',
    columns: {
      report: 'Bericht',
      due: 'Fällig',
      state: 'Zustand',
      attempts: 'Versuche',
      done: 'Zugestellt über',
      files: 'Dateien',
      errors: 'Letzter Fehler',
      next: 'Nächster Versuch',
    },
    runStates: { waiting: 'wartet', done: 'erledigt', failed: 'fehlgeschlagen' },
    neverDue: ({ report }) => `${report} wird nie wieder fällig.`,
    nextDue: ({ report, at }) => `${report} ist als Nächstes am ${at} fällig.`,
  },

  data: {
    foldSmallGroups: {
      '': 'vor Lesenden verborgen, sobald es mindestens 20 Browser gibt',
      true: 'vor Lesenden immer verborgen',
      false: 'auch Lesenden gezeigt',
    },
    sites: 'Standorte nach Netz',
    sitesHint:
      'Für Browser, deren Richtlinie keinen Standort nennt. Die Adresse, von der ein Browser sendet, wird hier nachgeschlagen und nicht gespeichert.',
    site: ({ n }) => `Standort ${n}`,
    removeSite: ({ n }) => `Standort ${n} entfernen`,
    addSite: 'Standort hinzufügen',
  },

  json: {
    title: 'Alle Einstellungen als JSON',
    note: 'wie lastbyte settings show sie ausgibt',
    label: 'Einstellungen als JSON',
    apply: 'Ins Formular übernehmen',
    copy: 'Einstellungen kopieren',
    invalid: ({ reason }) => `Kein gültiges JSON: ${reason}. Es wurde nichts geändert.`,
  },

  keys: {
    roles: {
      ingest: 'Browser: nur Messungen senden',
      read: 'Leserecht: Auswertungen ansehen',
      admin: 'Administrator: Einstellungen und Schlüssel ändern',
    },
    shortRoles: { ingest: 'Browser', read: 'Leserecht', admin: 'Administrator' },
    for: 'Schlüssel für',
    label: 'Bezeichnung',
    labelPlaceholder: 'Laptops im Vertrieb',
    create: 'Schlüssel erstellen',
    copyNow: 'Kopieren Sie diesen Schlüssel jetzt',
    copied: 'Ich habe ihn kopiert',
    shownOnce: ({ label }) =>
      `Der Schlüssel${label === '' ? '' : ` „${label}“`} wird nur einmal angezeigt. Geht er verloren, erstellen Sie einen neuen.`,
    key: 'Schlüssel',
    copy: 'Schlüssel kopieren',
    useForBrowsers:
      'Tragen Sie ihn zusammen mit der Adresse dieses Collectors in die Richtlinie ein, die die Erweiterung verteilt, oder in die Einstellungen der Erweiterung.',
    useForPeople: 'Melden Sie sich damit an, oder senden Sie ihn im Header authorization: Bearer.',
    list: 'Liste der Schlüssel',
    columns: { label: 'Bezeichnung', role: 'Rolle', created: 'Erstellt' },
    noLabel: '(ohne Bezeichnung)',
    yours: 'Ihrer',
    revoke: 'Widerrufen',
    revokeOne: ({ key }) => `${key} widerrufen`,
    revokeQuestion: ({ key }) => `${key} widerrufen?`,
    revoked: ({ key }) => `${key} wurde widerrufen`,
    named: ({ label }) => `„${label}“`,
    unnamed: { ingest: 'Schlüssel der Browser', read: 'Schlüssel mit Leserecht', admin: 'Administratorschlüssel' },
    lastAdmin:
      'Es ist der letzte Administratorschlüssel. Ein neuer lässt sich dann nur noch auf dem Server erstellen: lastbyte token create --role admin',
    signsYouOut: 'Sie sind mit diesem Schlüssel angemeldet und werden sofort abgemeldet.',
    stopsBrowsers:
      'Browser mit diesem Schlüssel können nichts mehr senden. Sie behalten ihre Messungen bis zu 7 Tage, bis sie einen anderen Schlüssel erhalten.',
    stopsPeople:
      'Wer diesen Schlüssel benutzt, wird sofort abgemeldet; Skripte mit diesem Schlüssel funktionieren nicht mehr.',
  },

  collector: {
    shared: 'Diese Einstellungen liegen in PostgreSQL und gelten für alle Collectors.',
    leads: 'Dieser Collector führt Alarme und geplante Berichte aus.',
    follows: 'Ein anderer Collector führt Alarme und geplante Berichte aus.',
    away: 'PostgreSQL ist nicht erreichbar: Messwerte werden angenommen, aber nichts lässt sich ändern.',
    forwards: 'Die Messungen liegen in ClickHouse.',
    noBacklog: 'Keine wartet auf die Weiterleitung.',
    backlog: ({ samples, size, oldest }) =>
      `Hier warten noch ${samples} auf die Weiterleitung (${size}), die älteste vom ${oldest}. Keine Ansicht enthält sie bisher.`,
  },

  history: {
    none: 'Es wurde noch nichts gespeichert.',
    authorUnknown: 'Autor unbekannt',
    current: 'aktuell',
    show: 'Änderungen zeigen',
    showOne: ({ revision }) => `Änderungen zeigen in Revision ${revision}`,
    revision: ({ revision, at, author }) => `Revision ${revision}, ${at}${author === '' ? '' : `, ${author}`}`,
    undo: 'Diese Änderung rückgängig machen',
    goBack: ({ revision }) => `Zurück zu Revision ${revision}`,
    close: 'Schließen',
    alreadyCurrent: 'Diese Einstellungen gelten bereits',
  },

  packaging: {
    again: 'Die Erweiterung neu paketieren',
    notYet: 'Die Erweiterung für diese Apps paketieren',
  },

  diff: { none: 'Keine Unterschiede.', whole: 'das ganze Dokument', removed: 'entfernt: ', added: 'hinzugefügt: ' },

  /** Messages by the codes of `shared/settings`, for the field that they belong to. */
  problems: {
    required: () => 'Bitte ausfüllen.',
    not_one_of: ({ allowed }) => `Möglich ist: ${allowed}.`,
    wrong_type: ({ type }) =>
      type === 'integer'
        ? 'Bitte eine ganze Zahl ohne Tausendertrennzeichen eingeben.'
        : 'Bitte eine Zahl ohne Tausendertrennzeichen eingeben.',
    too_small: ({ limit }) => `Mindestens ${limit}.`,
    not_above: ({ limit }) => `Größer als ${limit}.`,
    too_large: ({ limit }) => `Höchstens ${limit}.`,
    too_short: ({ limit }) => (limit === '1' ? 'Bitte ausfüllen.' : `Zu kurz: mindestens ${limit} Zeichen.`),
    too_long: ({ limit }) => `Zu lang: höchstens ${limit} Zeichen.`,
    invalid_text: () => 'Darin ist ein unsichtbares Zeichen. Tippen Sie den Text neu, statt ihn einzufügen.',
    wrong_form: () => 'Das hat nicht die Form, die hier erwartet wird.',
    too_few: () => 'Mindestens eine Angabe ist nötig.',
    too_many: ({ limit }) => `Zu viele: höchstens ${limit}.`,
    match_pattern: ({ pattern, kind }) => `${pattern} ${PATTERN_FAULTS[kind as PatternFault]}.`,
    template_rule: ({ rule }) => `${rule} ist keine gültige Pfadvorlage. Beispiel: /users/{user}/orders/*`,
    exclusion_path: ({ path }) => `${path} ist kein gültiger Pfad. Beispiele: /health/**, /orders/{n}`,
    repeated_id: ({ id }) => `Die Kennung ${id} ist schon vergeben: Wählen Sie eine andere.`,
    not_a_host: ({ host }) => `${host} ist kein Host. Beispiel: cdn.example.com`,
    not_a_network: ({ network }) => `${network} ist kein Netz. Beispiel: 10.1.0.0/16`,
    repeated_network: ({ network }) => `${network} kommt doppelt vor: Ein Netz gehört zu einem Standort.`,
    retention_order: () => 'Gröbere Daten müssen mindestens so lange aufbewahrt werden wie feinere.',
    no_target: ({ id }) =>
      id === '' ? 'Wählen Sie eine App.' : 'Diese App gibt es nicht mehr: Wählen Sie eine andere.',
    not_repeatable: ({ minutes, least }) =>
      `Höchstens alle ${least} Minuten abspielen: Die Aufzeichnung sagt nicht, dass sie alle ${minutes} Minuten wiederholt werden darf.`,
    secret_value: ({ steps }) =>
      `Schritt ${steps} tippt ein Geheimnis im Klartext: Ersetzen Sie es durch eine Variable, zum Beispiel {{password}}.`,
    over_budget: ({ needed, allowed }) =>
      `Der Plan braucht bis zu ${needed} Anfragen pro Stunde, erlaubt sind ${allowed}: Testabrufe seltener ausführen, weniger wiederholen oder die Obergrenze anheben.`,
    text_with_cookies: () =>
      'Entfernen Sie diesen Text, oder senden Sie keine Cookies des Nutzers: Ein Testabruf darf nicht verraten, was auf angemeldeten Seiten steht.',
    names_user: () => 'Entfernen Sie den Teil vor dem @: Testabrufe melden sich nicht an.',
    not_address: () => 'Geben Sie die ganze Adresse an, zum Beispiel https://erp.example.com/logo.png',
    not_other_address: () => 'Geben Sie dieselbe Adresse mit dem anderen Schema an, http oder https.',
    no_journey: () => 'Diesen Ablauf gibt es nicht mehr: Bitte einen anderen wählen.',
    journey_alone: ({ names }) =>
      `Zu einem Ablauf passen nur Verfügbarkeit, App, Standort und „Jeder Standort für sich“: Bitte ${names} entfernen.`,
    no_webhook: ({ id }) => `Den Webhook ${id} gibt es nicht mehr.`,
    no_mail_server: () => 'Es gibt noch keinen Mailserver: Richten Sie ihn unter „Regelmäßige Berichte“ ein.',
    not_http: () => 'Die Adresse muss mit https:// oder http:// beginnen.',
    has_password: () =>
      'Die Adresse enthält ein Passwort. Speichern Sie es außerhalb der Einstellungen: Wählen Sie eine andere Quelle.',
    has_query: () => 'Geben Sie die Adresse ohne ? und # an.',
    impossible_breaches: ({ breaches, evaluations }) => `${breaches} von ${evaluations} ist nicht möglich.`,
    no_zone: ({ zone }) => `Die Zeitzone ${zone} gibt es nicht. Beispiele: Europe/Berlin, UTC.`,
    cron_parts: () => 'Nötig sind fünf Teile: Minute, Stunde, Tag, Monat, Wochentag.',
    cron_never: () => 'Diesen Zeitpunkt gibt es nie.',
    cron_unreadable: () => 'Das ist kein Zeitplan. 0 6 1 * * ist 06:00 Uhr am Ersten jedes Monats.',
    no_destination: () => 'Wählen Sie, wohin der Bericht geht: Ordner, Webhook oder E-Mail.',
    url_or_reference: () => 'Geben Sie die Adresse an.',
    secret_variable: ({ name }) => `Der Name muss mit LASTBYTE_SECRET_ beginnen, zum Beispiel ${name}.`,
    secret_file: () => 'Geben Sie nur den Namen einer Datei im Geheimnisordner an.',
  },

  saving: {
    bar: 'Nicht gespeicherte Änderungen',
    unsaved: 'noch nicht gespeichert',
    changes: ({ n }) => count(n, 'Eine nicht gespeicherte Änderung', 'nicht gespeicherte Änderungen'),
    errors: ({ n }) => count(n, 'ein Fehler', 'Fehler'),
    fixFirst: ({ n }) => `${count(n, 'Ein Fehler', 'Fehler')}: vor dem Speichern beheben`,
    review: 'Prüfen und speichern',
    keptUnsaved: 'Nicht gespeicherte Änderungen bleiben erhalten, bis Sie zu den Einstellungen zurückkehren.',
    signOutAnyway: 'Die Einstellungen enthalten nicht gespeicherte Änderungen. Verwerfen und abmelden?',
    discard: 'Verwerfen',
    question: 'Diese Änderungen speichern?',
    save: 'Speichern',
    keepEditing: 'Weiter bearbeiten',
    cancel: 'Abbrechen',
    combined: 'Das sind Ihre Änderungen gegenüber den neuesten Einstellungen.',
    savedTitle: 'Gespeichert.',
    savedWhat: ({ sections, at, revision }) => `${sections}, ${at}${revision === null ? '' : `, Revision ${revision}`}`,
    applied: 'Die Browser übernehmen die Änderungen beim nächsten Abruf, innerhalb von fünf Minuten.',
    saved: 'Gespeichert. Die Browser übernehmen die Änderungen beim nächsten Abruf, innerhalb von fünf Minuten.',
    conflict: 'Die Einstellungen wurden inzwischen geändert',
    theirs: ({ author }) => `${author === '' ? 'Jemand' : `„${author}“`} hat nach dem Öffnen dieser Seite gespeichert:`,
    combinable: 'Ihre Änderungen betreffen andere Stellen und lassen sich damit verbinden.',
    bothChanged: ({ places }) =>
      `Sie haben beide ${places} geändert. Wenn Sie Ihre Änderungen übernehmen, ersetzen sie dort die anderen.`,
    onTop: 'Meine Änderungen übernehmen',
    discardMine: 'Meine Änderungen verwerfen',
    saveFirst: 'Erst speichern: Der Server verwendet die gespeicherten Einstellungen.',
  },
};
