import { GERMAN_SLOW_GROUP } from '../../analysis/text/german-slow-group.ts';
import { numberWords } from '../../analysis/text/numbers.ts';
import type { HOST as ENGLISH } from './host.ts';

const { count, ms } = numberWords('de');
const amountOf = (n: number, one: string, many: string) => `${count(n)} ${n === 1 ? one : many}`;
const longer = (time: number) => `${ms(Math.abs(time))} ms ${time < 0 ? 'kürzer' : 'länger'}`;

export const HOST: typeof ENGLISH = {
  name: 'Host',
  back: '← Alle Hosts',
  rows: (n) => `${amountOf(n, 'Zeile', 'Zeilen')} angezeigt`,
  typeTabs: 'Ressourcentyp',
  allTypes: 'alle Typen',
  allTogether: 'Alle Typen zusammen',
  oneType: (type) => `Ressourcentyp: ${type}`,
  table: 'Ressourcentypen dieses Hosts',
  caption: (host) => `Ressourcentypen von ${host}: Median und Mittelwert, Millisekunden`,

  slowGroup: {
    name: 'Langsame Anfragen',
    words: GERMAN_SLOW_GROUP,
    read: (share: string) => `Aus ${share} der Messungen.`,
  },

  facts: 'Verbindungen, TLS und der Server',
  setupPerConnection: 'Aufbau je Verbindung',
  setupPerConnectionMeans: 'DNS + TCP + TLS, nur über neue Verbindungen',
  setupPerRequest: 'Aufbau je Anfrage',
  setupPerRequestMeans: 'DNS + TCP + TLS über alle Anfragen; eine bestehende Verbindung zählt als 0',
  setupUnknown: (meaning) => `${meaning}. Es wurde keine neue Verbindung gemessen.`,
  setup: (meaning, n, keepMeasuring) =>
    `Median / Mittelwert. ${meaning}, n\u00a0${count(n)}${keepMeasuring ? '; weiter messen' : ''}.`,
  tlsPerRequest: 'TLS je Anfrage',
  tlsPerRequestMeans: 'Median / Mittelwert über alle Anfragen: was TLS-Handshakes insgesamt kosten.',
  roundTrips: 'Round-Trips je Handshake',
  roundTripsUnknown: {
    no_tls: 'Es wurde kein TLS-Handshake gemessen.',
    mixed: 'HTTP ohne TLS oder HTTP/3 ist mit TLS über TCP vermischt. Filtern Sie nach Schema oder Protokoll.',
    below_clock_step: 'Ein Round-Trip ist kürzer, als diese Browser messen können.',
    round_trip_too_short: 'Nicht messbar: Auf einem so kurzen Weg dauert das Rechnen länger als die Round-Trips.',
  },
  roundTripsMean: (n, meaning) => `Median TLS ÷ Median TCP, n\u00a0${count(n)}. ${meaning}`,
  roundTripsMeanings: {
    one: 'Ein Round-Trip wie bei TLS 1.3, bei TLS 1.2 mit False Start oder bei einer wiederaufgenommenen Sitzung: Diese Zahl unterscheidet sie nicht.',
    two: 'Zwei Round-Trips: ein voller Handshake von TLS 1.2 ohne False Start oder einer älteren TLS-Version.',
    more: 'Mehr als zwei Round-Trips: eine Zertifikatskette, die nicht in die ersten Pakete passt, oder langsames Signieren auf dem Server.',
  },
  requestsPerConnection: 'Anfragen je Verbindung',
  noNewConnection: 'Es gab keine neue Verbindung.',
  requestsPerConnectionMeans: (opened) =>
    `Anfragen ÷ neue Verbindungen (${count(opened)}), eine Schätzung: Browser kennzeichnen Verbindungen nicht.`,
  serverShare: 'Anteil des Servers am Warten',
  notMeasured: 'Nicht gemessen.',
  notMeasurable: {
    no_samples: 'Nicht messbar: Es wurde kein Round-Trip gemessen, der sich abziehen ließe.',
    few_samples: 'Nicht messbar: weniger als 6 Anfragen.',
    interval_contains_zero: 'Nicht messbar: Das Intervall enthält 0.',
  },
  serverShareMeans: (interval, n) =>
    `Warten minus ein Round-Trip auf neuen Verbindungen, Median${interval === null ? '' : ` (${interval}, 95 %)`}, n\u00a0${count(n)}. Die Zeit alles dessen, was hinter dem ersten TCP-Endpunkt liegt: der Server selbst oder ein Proxy oder CDN und alles dahinter.`,
  interval: (low, high) => `${low} bis ${high} ms`,
  over: (threshold) => `Über ${threshold}`,
  overMeans: (requests) =>
    `${requests === 1 ? '1 Anfrage dauerte' : `${count(requests)} Anfragen dauerten`} bis zum letzten Byte länger.`,

  compareTables: 'Verbindungsarten und Seiten vergleichen',
  tables: 'Tabellen',
  views: {
    scenarios: 'Szenarien',
    ratios: 'Verhältnisse',
    phases: 'Verbinden, Warten, Gesamt',
    pages: 'Seiten',
    sites: 'Standorte',
  },

  sites: {
    title: 'TCP-Verbindungszeit nach Standort',
    none: 'Kein Standort mit genügend Verbindungen zu diesem Host.',
    undivided:
      'Ob ein Standort oder ein Host weit entfernt ist, lässt sich noch nicht sagen: Dafür braucht es Verbindungen von drei Standorten zu drei Hosts.',
    nothing: 'Weder ein Standort noch dieser Host fällt auf.',
    ofHost: (time) =>
      `Von allen Standorten aus dauern Verbindungen zu diesem Host ${longer(time)} als üblich: Das liegt am Host oder an seiner Anbindung.`,
    ofSite: (site, time) =>
      `Vom Standort ${site} aus dauern Verbindungen zu allen Hosts ${longer(time)} als üblich: Das liegt an der Anbindung des Standorts.`,
    ofPair: (site, time) =>
      `Vom Standort ${site} aus dauern nur Verbindungen zu diesem Host ${longer(time)} als üblich: Das liegt am Weg zwischen beiden.`,
    columns: {
      site: 'Standort',
      median: 'Median',
      usual: 'Üblich',
      ofSite: '+ Standort',
      ofHost: '+ Host',
      ofPair: '+ Weg',
      browsers: 'Browser',
      n: 'n',
      from: 'Gemessen von',
    },
    from: { pages: 'Seiten', probes: 'Testabrufe' },
    basis:
      'TCP-Verbindungen. Median = üblich + Standort + Host + Weg. Üblich sind mittlerer Standort und mittlerer Host, ein Anteil kann also negativ sein; jeder Browser zählt einmal.',
    tooFew: (pairs) =>
      `${amountOf(pairs, 'Paar', 'Paare')} aus Standort und Host ausgelassen: weniger als 5 Browser oder 30 Verbindungen.`,
    beyond: (pairs) =>
      `${amountOf(pairs, 'Paar', 'Paare')} ausgelassen: Nur die 40 größten Standorte und Hosts werden verglichen.`,
    withoutSite: (n) => `${amountOf(n, 'Verbindung', 'Verbindungen')} von Browsern ohne Standort ausgelassen.`,
  },

  whatIf: {
    title: 'Was ließe sich sparen?',
    of: 'Keep-Alive, Session-Tickets, TLS 1.3, HTTP/2 und anderes, vorhergesagt aus aufgezeichneten Anfragen',
    alone:
      'Jedes für sich, als Anteil der Gesamtzeit der Anfragen an diesen Host, mit 95-%-Intervall. Die Ersparnisse addieren sich nicht.',
    timeouts: (connections) => `Ein anderes Keep-Alive-Timeout (jetzt ${count(connections)} Verbindungen)`,
    sites: (near) => `Wären Standorte so nah wie ${near}`,
    columns: {
      seconds: 'Timeout',
      connections: 'Neue Verbindungen',
      site: 'Standort',
      farther: 'Weiter um',
      saved: 'Gespart',
      low: 'von',
      high: 'bis',
    },
  },

  tlsName: 'TLS',
  tlsTitle: 'TLS-Versionen, Cipher-Suites und Aussteller',
  noHttps: 'Keine Anfrage lief hier über https.',
  tlsFewBrowsers: 'Nicht gezeigt: Zu wenige Browser melden Angaben zu TLS, oder zu wenige melden keine.',
  tlsNotReported: 'Kein Browser hat Angaben zu TLS gemeldet: Das tut nur Firefox, und nur gegenüber der Erweiterung.',
  tlsFacts: { version: 'Version', cipher: 'Cipher-Suite', keyExchange: 'Schlüsselaustausch', issuer: 'Aussteller' },
  tlsColumns: {
    fact: 'Angabe',
    value: 'Wert',
    samples: 'Anfragen',
    browsers: 'Browser',
    n: 'Handshakes',
    tls: 'Handshake, Median',
    roundTrips: 'Umläufe, Median',
    ttlb: 'Letztes Byte, Median',
  },
  tlsBasis: (share) => `Aus ${share} der https-Anfragen: Nur Firefox meldet Angaben zu TLS.`,
  postQuantum: (difference, usual, own, other) =>
    `Post-Quanten-Schlüsselaustausch: Der Handshake dauert ${difference} ms gegenüber ${usual}, ${own} statt ${other} Umläufe (Mediane).`,
  tlsInspection: 'Ein ungewöhnlicher Aussteller spricht für TLS-Inspektion zwischen diesen Browsern und dem Server.',
  otherIssuer: (browsers, requests, issuer) =>
    `${amountOf(browsers, 'Browser sieht', 'Browser sehen')} (${amountOf(requests, 'Anfrage', 'Anfragen')}) statt des üblichen Zertifikats eines von ${issuer}: TLS-Inspektion auf dem Weg oder ein anderer Server.`,
  issuerCostUnknown: 'Damit wurde keine neue Verbindung gemessen, daher ist nicht bekannt, was es kostet.',
  issuerCost: (handshake, request) =>
    `Es verändert den Median des Handshakes um ${handshake} ms${request === null ? '' : ` und den der Anfragen um ${request} ms`}.`,
  notSignificant: 'Das ist noch nicht signifikant: weiter messen.',

  requests: {
    name: 'Anfragen',
    titleOf: (what, host, type) => `${what}: ${host}, ${type}`,
    allPaths: 'alle',
    close: 'Schließen',
    back: '← Alle Anfragen',
    none: 'Keine passende Anfrage.',
    fewBrowsers: (folded) => `Keine Anfrage darf hier gezeigt werden. ${folded}.`,
    shown: (shown, matching) =>
      shown === matching
        ? `${amountOf(matching, 'Anfrage', 'Anfragen')}, die langsamsten zuerst.`
        : `Die ${count(shown)} langsamsten von ${amountOf(matching, 'Anfrage', 'Anfragen')}.`,
    withheld: 'Seitenaufrufe und Angaben zu einzelnen Browsern sehen nur Administratoren.',
    time: 'Zeit',
    phases: 'Phasen',
    firstByte: 'Erstes Byte, ms',
    lastByte: 'Letztes Byte, ms',
    status: 'Status',
    pageView: 'Seitenaufruf',
    waterfall: 'Anfragen des Seitenaufrufs',
    pageViewOf: (template, time) => `Seitenaufruf von ${template}, ${time}`,
    began: (time, requests) => `Beginn ${time}, ${amountOf(requests, 'Anfrage', 'Anfragen')}.`,
    limit: 'Ein Seitenaufruf umfasst seine erste Stunde.',
    omitted: (requests) =>
      requests === 1
        ? '1 spätere Anfrage ist nicht aufgeführt.'
        : `${count(requests)} spätere Anfragen sind nicht aufgeführt.`,
    request: 'Anfrage',
    starts: 'Beginn nach, ms',
    asked: 'diese Anfrage',
    noPageView: {
      admins_only: 'Seitenaufrufe einzelner Browser sehen nur Administratoren.',
      not_found: 'Diese Anfrage ist nicht mehr gespeichert.',
      no_document: 'Aus den 24 Stunden davor ist kein Dokument dieses Browsers und dieser App bekannt.',
      shared_browser:
        'Mehrere Browser teilen sich die Nummer dieses Browsers, daher lassen sich ihre Anfragen nicht trennen.',
    },
  },

  distribution: {
    name: 'Verteilung',
    note: (peaks, precision) =>
      `Anfragen nach Zeit bis zum letzten Byte, ms, logarithmische Achse. ${peaks} ${precision}.`,
    words: (median, mean, peaks) => `Median ${median} ms, Mittelwert ${mean} ms. ${peaks}`,
    nothing: 'Ohne verwertbare Messungen gibt es keine Verteilung.',
    table: 'Anfragen nach Zeit bis zum letzten Byte',
    bins: 'Vier Klassen je Oktave; das obere Ende einer Klasse gehört nicht dazu.',
    peaksLater: 'Gipfel werden ab 200 Anfragen erkannt.',
    noPeak: 'Kein Gipfel hebt sich ab.',
    onePeak: (peak) => `Ein Gipfel bei ${peak}.`,
    peaks: (n, peaks) => `${count(n)} Gipfel: ${peaks}.`,
  },
  timeline: {
    name: 'Verlauf',
    title: 'Zeitlicher Verlauf',
    nothing: 'Ohne verwertbare Messungen gibt es keinen Verlauf.',
    stepSize: (size) => `Schritte von ${size}, Zeit bis zum letzten Byte, ms.`,
    gaps: (n) => `${n === 1 ? '1 Schritt ist' : `${count(n)} Schritte sind`} ohne Messung: eine Lücke, keine Null.`,
    cut: 'Die höchsten p95 und Mittelwerte sind abgeschnitten; die Tabelle enthält sie.',
    words: (n) => `Median und Mittelwert von ${n === 1 ? 'einem Schritt' : `${count(n)} Schritten`}.`,
    middleHalf: 'mittlere Hälfte (p25 bis p75)',
    table: 'Zeit bis zum letzten Byte im Verlauf',
    dash: 'Ein Strich steht für einen Schritt ohne Messung.',
    days: (n) => `${count(n)} ${n === 1 ? 'Tag' : 'Tagen'}`,
  },
  pauses: {
    name: 'Pausen',
    title: 'Pausen und Handshakes',
    nothing: 'Kein Browser hat gemeldet, wie lange die letzte Antwort dieses Hosts zurücklag.',
    note: (found) =>
      `Anfragen nach der Zeit seit der letzten Antwort dieses Hosts an den Browser, logarithmische Achse. ${found}`,
    table: 'Anfragen nach Pause',
    from: 'Pause von',
    to: 'bis',
    reused: 'Bestehende Verbindung',
    opened: 'Neue Verbindung',
    first: 'Vor der ersten Anfrage eines Browsers an einen Host liegt keine Pause; sie zählt hier nicht.',
    noneOpened: 'Auf keine frühere Antwort folgte eine neue Verbindung, daher ist kein Timeout erkennbar.',
    noTimeout: (opened) =>
      `${count(opened)} neue Verbindungen folgten auf eine frühere Antwort, doch keine Pausenlänge trennt sie von den bestehenden. Das spricht für parallele oder vom Server geschlossene Verbindungen, nicht für einen Keep-Alive-Timeout.`,
    longTimeout: (pause, forced, opened, share) =>
      `Verbindungen schließen nach etwa ${pause} ohne Anfrage, länger als die meisten Pausen auf einer Seite: ${count(forced)} von ${count(opened)} neuen Verbindungen (${share}) kamen später. Browser schließen ungenutzte Verbindungen selbst, Firefox nach etwa 2 Minuten, Chromium nach 5.`,
    timeout: (pause, forced, opened, share, early) =>
      `Verbindungen schließen nach etwa ${pause} ohne Anfrage: ${count(forced)} von ${count(opened)} neuen Verbindungen (${share}) kamen nach einer längeren Pause. Ein Keep-Alive-Timeout, der länger ist als die Pausen der Nutzer, würde diese Handshakes sparen.${early > 0 ? ` ${count(early)} kamen früher: parallel geöffnet, oder nachdem der Server eine Verbindung geschlossen hatte.` : ''}`,
  },
  scenarios: {
    title: 'Verteilung je Szenario',
    note: 'Anfragen nach Zeit bis zum letzten Byte, ms, logarithmische Achse. Jede Zeile hat ihre eigene senkrechte Skala.',
    words: (names) => `Histogramme: ${names}.`,
  },
};
