import type { ComparedBy } from '../summary/likeness.ts';
import type { TableTexts } from './english-tables.ts';
import { GERMAN } from './german.ts';
import { GERMAN_CELLS } from './german-cells.ts';
import { GERMAN_PROBE_REASONS } from './german-probe-reasons.ts';

const { fixed, ms, count, upTo } = GERMAN.numbers;
const requestsOf = (n: number) => `${count(n)} ${n === 1 ? 'Anfrage' : 'Anfragen'}`;

const UNLIKE: Readonly<Record<ComparedBy, Readonly<Record<'by' | 'others' | 'why' | 'filter', string>>>> = {
  host: {
    by: 'Hosts',
    others: 'der Entfernung anderer Hosts',
    why: 'Verschieden weit entfernte Hosts',
    filter: 'Host',
  },
  type: { by: 'Typen', others: 'anderen Typen von Anfragen', why: 'Verschiedene Typen von Anfragen', filter: 'Typ' },
  site: {
    by: 'Standorten',
    others: 'der Entfernung anderer Standorte',
    why: 'Verschieden weit entfernte Standorte',
    filter: 'Standort',
  },
  template: { by: 'Pfaden', others: 'anderen Pfaden', why: 'Verschiedene Pfade', filter: 'Seite' },
};

export const GERMAN_TABLES: TableTexts = {
  ...GERMAN,
  probeReasons: GERMAN_PROBE_REASONS,
  exclusionRules: {
    failed: 'Fehlgeschlagene Anfragen werden gezählt, gehen aber nicht in die Zeiten ein.',
    abandoned: 'Anfragen, die die Seite abgebrochen hat, werden gezählt, gehen aber nicht in die Zeiten ein.',
    invalid:
      'Einträge, deren Zeitstempel ungeordnet, negativ oder unvollständig sind, werden gezählt, aber nie korrigiert.',
    worker: 'Antworten eines Service Workers werden gezählt, gehen aber nicht in die Zeiten ein.',
    status: 'Andere Antworten als 2xx und 3xx werden gezählt, gehen aber nicht in die Zeiten ein.',
    redirect: 'Umleitungen werden gezählt, gehen aber nicht in die Zeiten ein.',
    challenge:
      'Anfragen, für die sich der Browser erst anmelden musste, werden gezählt, gehen aber nicht in die Zeiten ein.',
    warmup: 'Anfragen zum Aufwärmen der Testabrufe werden gezählt, gehen aber nicht in die Zeiten ein.',
    hidden: 'Anfragen aus Tabs im Hintergrund werden gezählt, gehen aber nicht in die Zeiten ein.',
    bfcache: 'Seiten aus dem Vor-/Zurück-Cache werden gezählt, gehen aber nicht in die Zeiten ein.',
    prerender: 'Vorab gerenderte Seiten werden gezählt, gehen aber nicht in die Zeiten ein.',
    rule: 'Anfragen, auf die eine Ausschlussregel der Einstellungen zutrifft, werden gezählt, gehen aber nicht in die Zeiten ein.',
    unproven: 'Testabrufe, die ihr Szenario nicht belegen, werden gezählt, gehen aber nicht in die Zeiten ein.',
  },
  otherRules: [
    'Antworten aus dem Cache des Browsers und verborgene Einträge fremder Server werden gezählt, gehen aber nicht in die Zeiten ein.',
    'Offen gehaltene Anfragen, etwa Long-Polling, zählen nicht mit, sofern der Filter nach Typ sie nicht nennt.',
    'Unbekannte Zeiten bleiben leer und haben eine Begründung; sie sind nie 0.',
    'DNS, TCP und TLS beziehen sich nur auf neue Verbindungen, sofern nicht „je Anfrage“ angegeben ist.',
    'Quantile sind sortierte Werte an der Stelle ⌊q(n−1)⌋, nie interpoliert.',
  ],
  quarantined: (samples) =>
    `${count(samples)} Messungen aus etwa dieser Zeit sind nicht lesbar und liegen in Quarantäne.`,

  views: {
    scenarios: 'Szenarien: HTTP, HTTPS auf bestehender Verbindung, HTTPS auf neuer Verbindung',
    phases: 'Phasen: Verbinden, Verarbeiten, Warten, Gesamt',
    pages: 'Seiten: erstes und letztes Byte, Antwortcodes, Inhaltslänge',
    probes: 'Testabrufe: Verfügbarkeit und Dauer jedes Schritts, je Standort',
    ratios: 'Verhältnisse zu einer Vergleichsbasis',
  },
  titles: {
    responseTimes: 'Antwortzeiten',
    histogram: 'Histogramm',
    connectionTimes: 'Verbindungszeiten',
    percentages: 'Innerhalb einer Zeit beantwortete Anfragen',
    totals: 'Summen',
    cache: 'Cache',
    pages: 'Seiten',
    resultCodes: 'Antwortcodes',
    pageMinusImage: 'Seite minus Bild',
    receiveBySize: 'Empfang nach Größe',
    steps: 'Schritte',
    journeyPages: 'Was die Schritte der Abläufe laden',
    trend: 'Verlauf',
    lastFailures: 'Letzte Fehlschläge',
    tls: 'TLS-Versionen und Cipher-Suites',
    outside: 'In keinem Szenario',
    page: 'Anfragen der Nutzer',
    probe: 'Testabrufe',
    load: 'Last',
    import: 'Importierte Aufzeichnungen',
    ratio: (of, baseline) => `${of}: Verhältnis zu ${baseline}`,
  },
  columns: {
    address: 'Adresse',
    at: 'Zeitpunkt',
    epoch: (label) => `${label}, Epoch-Millisekunden`,
    available: 'Verfügbar',
    average: 'Mittelwert',
    bodies: 'Inhalte',
    bytesFetched: 'Geladene Bytes',
    bytesFetchedAgain: 'Erneut geladene Bytes',
    cipher: 'Cipher-Suite',
    code: 'Code',
    connection: 'Verbindung',
    contentLength: 'Inhaltslänge',
    contentLengthAbout: 'Inhaltslänge, etwa',
    count: 'Anzahl',
    discarded: 'Verworfen',
    failedRequests: 'Fehlgeschlagen',
    fetchedAgain: 'Erneut geladen',
    firstByte: 'Erstes Byte',
    from: 'Von',
    fromCache: 'Aus dem Cache',
    group: 'Gruppe',
    handshakeRoundTrips: 'Round-Trips je Handshake',
    handshakesSeen: 'Beobachtete Handshakes',
    hits: 'Aufrufe',
    host: 'Host',
    image: 'Bild',
    imageWait: 'Warten auf das Bild, Median',
    keepAlive: 'Auf bestehender Verbindung',
    keepMeasuring: 'Weiter messen',
    largeBodies: 'Große Inhalte',
    lastByte: 'Letztes Byte',
    leftOut: 'Nicht gezählt',
    max: 'Max.',
    mean: 'Mittelwert',
    median: 'Median',
    min: 'Min.',
    newConnections: 'Neue Verbindungen',
    otherStatus: 'Weder 2xx noch 3xx',
    over1s: 'Über 1 s',
    over200ms: 'Über 200 ms',
    overHalfTrip: 'Mehr als ein halber Round-Trip',
    p95: '95. Perzentil',
    p99: '99. Perzentil',
    page: 'Seite',
    pageWait: 'Warten auf die Seite, Median',
    partOfRequests: 'Anteil der Anfragen',
    peaks: 'Gipfel',
    place: 'Standort',
    probe: 'Testabruf',
    reason: 'Grund',
    receiveAverage: 'Empfang, Mittelwert',
    receiveMedian: 'Empfang, Median',
    receiveP75: 'Empfang, p75',
    requests: 'Anfragen',
    requestsSeen: 'Beobachtete Anfragen',
    runs: 'Läufe',
    scenario: 'Szenario',
    serverShare: 'Anteil des Servers',
    serverTimeAverage: 'Serverzeit, Mittelwert',
    setupAverage: 'Aufbau, Mittelwert',
    source: 'Quelle',
    standardDeviation: 'Standardabweichung',
    step: 'Schritt',
    target: 'App',
    threshold: 'Schwelle',
    time: 'Zeit',
    timeOfAllRequests: 'Zeit aller Anfragen',
    timeTaken: 'Dauer',
    timeTakenPerRequest: 'Dauer je Anfrage',
    tlsMedian: 'TLS, Median',
    to: 'Bis',
    totalTransferred: 'Insgesamt übertragen',
    transferRate: 'Übertragungsrate',
    type: 'Typ',
    usable: 'Gewertete Anfragen',
    usableSeen: 'Gewertete Anfragen, Rate',
    version: 'Version',
    waitMedian: 'Warten, Median',
    withinThreshold: 'Innerhalb der Schwelle',
    stepTime: 'Schritt, Median',
    usersMedian: 'Nutzer, Median',
    usersUnknown: 'Keine Nutzerzeit',
  },
  journeys: {
    title: 'Abläufe je Standort',
    light: 'Ampel',
    lights: { green: '● grün', yellow: '▲ gelb', red: '■ rot', none: '– ohne Schwellen' },
    up: 'Läufe gelungen',
    down: 'Läufe gestört',
    over: 'Gestört oder zu langsam',
    median: 'Alle Schritte, Median',
    slowest: 'Langsamster Schritt',
    since: 'Gestört seit',
    step: (step, median, threshold) =>
      `Schritt ${step}: ${ms(median)}${threshold === null ? '' : ` von ${ms(threshold)}`} ms`,
    note: 'Ein Lauf ist gelungen, wenn jeder seiner Schritte gelang, und zu langsam, wenn einer länger dauerte als seine Schwelle. Ampel: rot, solange ein Ablauf gestört ist oder wenn mindestens die Hälfte seiner Läufe gestört oder zu langsam war; gelb, wenn es mehr als 5 % waren; sonst grün. Gestört seit: der erste Fehler nach dem letzten gelungenen Lauf.',
  },
  statistics: { mean: 'Mittelwert', min: 'Min.', p25: 'p25', median: 'Median', p75: 'p75', max: 'Max.' },
  cells: GERMAN_CELLS,
  sourceSuffixes: { page: '', probe: ', Testabrufe', load: ', Last', import: ', Importe' },

  notes: {
    sources:
      'Anfragen der Nutzer, Testabrufe und importierte Aufzeichnungen stehen in eigenen Zeilen und werden nie vermischt.',
    usableSeen: (seconds) =>
      `Gewertete Anfragen, Rate: Anfragen, die in die Zeiten eingehen, geteilt durch die Dauer (${seconds === null ? 'nicht angegeben, daher keine Raten' : `${upTo(seconds, 3)} s`}). Das zeigt, was abgerufen wurde, nicht, was der Server leisten könnte. Nicht gezählt: andere Antworten als 2xx und 3xx, Umleitungen, Tabs im Hintergrund und Ähnliches.`,
    handshakeRoundTrips:
      'Round-Trips je Handshake: TLS ÷ TCP innerhalb jeder neuen HTTPS-Verbindung, der Median; nicht bei HTTP/3. Nicht messbar und daher leer, wenn TCP weniger als 5 ms oder 10 Uhrenschritte dauert, weil dann die Rechenzeit mitgezählt würde.',
    peaks: 'Gipfel: Modalwerte der Dichte auf logarithmischer Achse, ab 200 Messungen angegeben.',
    bins: 'Vier Klassen je Oktave; dieselben Grenzen für jedes Szenario.',
    histogram:
      'Wie viele Anfragen wie lange dauerten, eine Zeile je Szenario, auf logarithmischer Achse; jede Zeile hat ihren eigenen Maßstab.',
    outside:
      'Eine Anfrage, die fehlschlug oder deren Verbindung nicht zu sehen war, gehört zu keinem Szenario und geht in keine der Zeiten darüber ein.',
    onlySamples: (code) =>
      `Leer bleibt, was nur aus einzelnen Messungen hervorgeht: ${code === 'samples_expired' ? 'Diese sind nicht mehr gespeichert' : 'Es sind zu viele, um sie zu lesen'}.`,

    phases:
      'Verbinden: DNS, TCP und TLS je Anfrage, eine bestehende Verbindung zählt als 0. Verarbeiten: der Rest. Warten: von der Anfrage bis zum ersten Byte.',
    meansAddUp: 'Mittelwerte addieren sich (Verbinden + Verarbeiten = Gesamt); Mediane und Höchstwerte nicht.',
    meansDoNotAddUp: (requests) =>
      `Die Mittelwerte addieren sich nicht: Bei ${count(requests)} Anfragen ist der Aufbau unbekannt; sie fehlen unter „Verbinden“.`,
    slowest: '100 % ist die langsamste Anfrage.',
    requestsSeen:
      'Beobachtete Anfragen zeigen, was abgerufen wurde, nicht, was der Server leisten könnte. Die Dauer je Anfrage ist nur aussagekräftig, wenn die Anfragen nacheinander kamen; der Mittelwert der einzelnen Anfragen steht unter „Verbindungszeiten“.',
    failedElsewhere: 'Eine fehlgeschlagene Anfrage hat kein Szenario: Sie zählt unter „In keinem Szenario“.',
    fetchedAgain:
      'Erneut geladen: Derselbe Browser hatte diese Pfadvorlage schon einmal abgerufen. Vorlagen fassen IDs zusammen, zwei Bestellungen zählen also als eine Seite. Aussagekräftig ist das für Skripte, Stylesheets, Bilder und Schriften.',

    tooFewForCache:
      'Die Angaben zu Cache und Browsern beträfen bei diesen Filtern, oder bei dem, was sie auslassen, zu wenige Browser.',

    hits: (least, most) => `Die Aufrufe je Seite liegen zwischen ${count(least)} und ${count(most)}.`,
    noUsablePage: 'Keine Seite hat eine Messung, die in die Zeiten eingeht.',
    varyingLength:
      'Schwankende Inhaltslänge: Unter einem Namen wurde Verschiedenes gemessen. Die Zeiten sind mit Vorsicht zu lesen.',
    allSamples:
      'Alle Messungen, auch solche, die nicht in die Zeiten eingehen: Eine Ablehnung ist schnell und sagt nichts über die Seite.',
    nearestImage:
      'Das Bild desselben Hosts mit der ähnlichsten Inhaltslänge (höchstens doppelt oder halb so groß) steht für den Netzweg allein. Das gilt, wenn der Server es im Speicher hält.',
    noImage: 'Zu keiner Seite gibt es auf ihrem Host ein Bild ähnlicher Inhaltslänge.',
    imageWait:
      'Warten: von der Anfrage bis zum ersten Byte der Antwort, ohne Verbindungsaufbau; daher ist es unerheblich, über welche Verbindung beide kamen.',
    noRoundTrip: 'Es gab keine neue Verbindung, daher fehlt ein Round-Trip zum Vergleich.',
    slowFrom: (kb, halfTrip, sizes) =>
      `Ab etwa ${count(kb)} KB dauert der Empfang länger als ein halber Round-Trip (${fixed(halfTrip, 1)} ms).${sizes === '' ? '' : ` Bei etwa ${sizes} ebenso, bei größeren aber nicht.`}`,
    noneSlow: (halfTrip, sizes) =>
      sizes === ''
        ? `Bei keiner Größe dauert der Empfang länger als ein halber Round-Trip (${fixed(halfTrip, 1)} ms).`
        : `Es gibt keine Größe, ab der der Empfang durchweg länger als ein halber Round-Trip (${fixed(halfTrip, 1)} ms) dauert. Bei etwa ${sizes} ist es so, bei größeren aber nicht.`,
    duration: (seconds) => `Dauer: ${seconds === null ? 'nicht angegeben' : `${upTo(seconds, 3)} s`}.`,
    warmup: (requests) => `Aufwärmen: ${requestsOf(requests)}, nicht gezählt.`,
    repetitions: (requests, pages) =>
      `Wiederholungen: ${requestsOf(requests)} auf ${pages === 1 ? '1 Seite' : `${count(pages)} Seiten`}.`,
    concurrency: (average) =>
      `Gleichzeitigkeit: ${average === null ? 'ohne Dauer unbekannt' : `im Mittel ${fixed(average, 2)} laufende Anfragen`}.`,
    otherStatus: (requests) => `Wegen ihres Status (etwa 401) nicht gezählt: ${count(requests)}.`,
    pagesLeftOut: (shown, left) =>
      `Die ${count(shown)} Seiten mit den meisten Anfragen; ${count(left.pages)} weitere mit ${count(left.requests)} Anfragen sind nicht aufgeführt.`,
    templates: 'Seitennamen sind Vorlagen: Zahlen, IDs und kodierte Teile eines Pfads sind zusammengefasst.',

    noRatio: 'Kein Verhältnis, wenn die Vergleichsbasis 0 ist oder einer der beiden Werte nicht gemessen wurde.',
    noBaseline: (name) => `Die Vergleichsbasis ${name} wurde nicht gemessen, daher gibt es keine Verhältnisse.`,
    unlike: (scenario, baseline, by, percent) =>
      `${scenario} und ${baseline} haben, nach ${UNLIKE[by].by} verglichen, ${percent} % ihrer Anfragen gemeinsam: Ein Teil des Verhältnisses liegt an ${UNLIKE[by].others}.`,
    incomparable: (scenario, baseline, by, percent) =>
      `${scenario} und ${baseline} haben, nach ${UNLIKE[by].by} verglichen, ${percent} % ihrer Anfragen gemeinsam, daher gibt es kein Verhältnis: ${UNLIKE[by].why} lassen sich nicht vergleichen. Bitte nach ${UNLIKE[by].filter} filtern.`,
    onlyFirefox: 'Nur Firefox liefert diese Angaben.',

    probes:
      'Aufwärmläufe zählen nicht. Läufe, die ihr Szenario nicht belegt haben, gelten als verworfen, nicht als Fehlschlag.',
    available:
      'Verfügbar: Anteil der mit 2xx oder 3xx beantworteten Läufe an allen beantworteten oder fehlgeschlagenen.',
    threshold: 'Schwelle: wie lange der Schritt höchstens dauern soll, verglichen mit seiner Dauer in jedem Lauf.',
    journeyPages:
      'Mediane über die Läufe. Überlappen sich Anfragen, dauern sie zusammen länger als der Schritt; dauern sie kürzer, lag die Arbeit der Seite selbst dazwischen.',
    usersOnSteps:
      'Nutzer: ihre eigenen Anfragen auf demselben Pfad am selben Standort, nie mit denen der Abläufe vermischt.',
  },
};
