import type { QuantityName } from '../findings/quantities.ts';
import type { ENGLISH_FINDINGS } from './english-findings.ts';
import { numberWords } from './numbers.ts';

const { amount, count, limit, smallShare, upTo, wholeShare } = numberWords('de');
const ms = (value: number) => `${amount(value)} ms`;
const day = (iso: string) => iso.split('-').reverse().join('.');
const WEEKDAYS = ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'];

export const GERMAN_FINDINGS: typeof ENGLISH_FINDINGS = {
  everywhere: 'Überall',
  where: ({ site, client, engine, protocol, hours, minutes, weekdays }) => [
    client && 'in einem einzelnen Browser',
    site && `am Standort ${site}`,
    engine && `in ${engine}`,
    protocol && `über ${protocol}`,
    weekdays && onDays(weekdays),
    hours && `von ${hours[0]} bis ${hours[1]} Uhr`,
    minutes && `in den Minuten ${minutes[0]} bis ${minutes[1]} jeder Stunde`,
  ],
  during(since, until) {
    if (since === null) return '';
    if (until === null) return `, seit ${day(since)}`;
    return since === until ? `, am ${day(since)}` : `, vom ${day(since)} bis ${day(until)}`;
  },
  level: (quantity, { nowMs, usualMs }) =>
    usualMs < LITTLE * nowMs
      ? `${QUANTITIES[quantity]} dauert ${ms(nowMs)}`
      : `${QUANTITIES[quantity]} dauert ${ms(nowMs)} statt ${ms(usualMs)}`,
  rate: (quantity, { share, usualShare }) =>
    `${wholeShare(share)} der Anfragen ${OCCURS[quantity] ?? ''} statt ${wholeShare(usualShare)}`,
  drift: (quantity, { perDay = 0 }) =>
    `${QUANTITIES[quantity]} dauert jeden Tag ${upTo(Math.abs(perDay) * 100, 1)} % ${perDay > 0 ? 'länger' : 'kürzer'}; kein einzelner Tag erklärt es`,
  tail: (quantity, { partOfPlace, fromMs = 0 }) =>
    `${smallShare(partOfPlace)} der Anfragen dort brauchen mindestens ${limit(fromMs)}; Ursache ist ${QUANTITIES[quantity]}`,
  early_close: ({ idleMs = 0 }) =>
    `Verbindungen werden nach ${limit(idleMs)} ohne Anfrage geschlossen, bevor die Nutzer weiterarbeiten`,
  packet_loss: ({ partOfPlace }) =>
    `Pakete gehen verloren: ${smallShare(partOfPlace)} der Verbindungen kamen erst nach einer Sekunde oder später zustande`,
  large_download: ({ bytes = 0, nowMs }) => `${upTo(bytes / 1e6, 1)} MB je Anfrage; der Empfang dauert ${ms(nowMs)}`,
  held_back: ({ partOfPlace, fromMs = 0 }) =>
    `${smallShare(partOfPlace)} der kleinen Antworten enden erst ${limit(fromMs)} oder mehr nach ihrem Anfang`,
  challenges: ({ share, nowMs }) =>
    `${wholeShare(share)} der Anfragen müssen sich erst anmelden, was ${ms(nowMs / share)} dauert`,
  actions: {
    slow_server:
      'Für den Serverbetrieb: klären, worauf der Server wartet – Prozessor, Datenbank oder ein Dienst dahinter.',
    slow_third_party: 'Für die Entwicklung der App: später laden, selbst ausliefern oder mit dem Anbieter sprechen.',
    slow_hours: 'Für den Serverbetrieb: prüfen, was um diese Zeit sonst noch läuft, oder die Kapazität erhöhen.',
    packet_loss: 'Für das Netzwerkteam: den Weg und die Leitung bis zum Rechenzentrum prüfen.',
    early_close:
      'Für den Serverbetrieb: das Keep-Alive-Timeout auf eine Minute oder mehr stellen, auch am Load Balancer.',
    full_handshakes: 'Für den Serverbetrieb: Session-Tickets einschalten, mit demselben Schlüssel auf allen Instanzen.',
    inspection:
      'Für das Netzwerkteam: dort nach einem Proxy suchen, der TLS aufbricht, und die eigenen Apps ausnehmen.',
    far_site:
      'Für das Netzwerkteam: prüfen, ob der Verkehr einen Umweg nimmt; sonst den Standort aus der Nähe bedienen, etwa über ein CDN.',
    slow_dns: 'Für das Netzwerkteam: die DNS-Server prüfen, die diese Rechner verwenden.',
    large_download:
      'Für die Entwicklung der App: weniger auf einmal senden, komprimieren oder im Browser zwischenspeichern lassen.',
    held_back:
      'Für den Serverbetrieb: nach dem Nagle-Algorithmus (TCP_NODELAY) oder einem Proxy suchen, der Antworten puffert.',
    queueing: 'Für den Serverbetrieb: HTTP/2 einschalten; oder die Seite weniger Dateien zugleich anfordern lassen.',
    cold_cache: 'Für den Serverbetrieb: das Zwischenspeichern mit Cache-Control erlauben.',
    no_room:
      'Für den Support: prüfen, ob die Browser dort Dateien behalten können; Profile werden vielleicht gelöscht oder haben ein Kontingent.',
    slow_browser: 'Für den Support: auf diesem Rechner nach einer Erweiterung oder Sicherheitssoftware suchen.',
    slow_engine:
      'Für den Support: mit einem anderen Browser oder einer anderen Version vergleichen; das Update anhalten oder ausrollen.',
    busy_line: 'Für das Netzwerkteam: prüfen, was die Leitung um diese Zeit füllt, oder sie ausbauen.',
    errors: 'Für den Serverbetrieb: das Protokoll aus dieser Zeit ansehen.',
    redirects: 'Für die Entwicklung der App: gleich auf die Adresse verlinken, an der die Umleitungen enden.',
    challenges:
      'Für den Serverbetrieb: die Anmeldung nur einmal je Verbindung oder Sitzung verlangen; prüfen, wie Proxy und Browser sich anmelden.',
    unmeasurable:
      'Für die Entwicklung der App: prüfen, ob ein Service Worker antwortet oder Timing-Allow-Origin fehlt.',
    change: 'Für die Entwicklung der App: prüfen, welche Version an diesem Tag ausgerollt wurde.',
    path_change:
      'Für das Netzwerkteam: prüfen, was sich an diesem Tag geändert hat, etwa eine Adresse des Hosts, eine Firewall oder ein Load Balancer.',
    site_change:
      'Für das Netzwerkteam: prüfen, was sich an diesem Tag am Standort geändert hat, etwa Leitung, Weg oder Sicherheitssoftware.',
    drift: 'Für den Serverbetrieb: nach etwas suchen, das wächst, etwa eine Tabelle ohne Index oder eine volle Platte.',
    slow_group:
      'Für den Serverbetrieb: eine langsame Anfrage mit ihresgleichen vergleichen; vielleicht ist es einer von mehreren Servern.',
    faster: 'Eine gute Nachricht: Es ist nichts zu tun.',
  },
  saves: ({
    direction,
    savedShare,
    interval: [low, high],
    affectedRequests,
    affectedShare,
    browsersShare,
    perRequestMs,
  }) =>
    `Betrifft ${count(affectedRequests)} Anfragen (${wholeShare(affectedShare)} der Netzanfragen)${browsersShare === null ? '' : ` von ${wholeShare(browsersShare)} der Browser`}${savedShare === 0 ? '' : `; jede dauert ${ms(perRequestMs)} ${direction === 'slower' ? 'länger' : 'kürzer'}: ${upTo(savedShare * 100, 1)} % der Gesamtzeit (${upTo(low * 100, 1)} bis ${upTo(high * 100, 1)} %)`}.`,
};

const LITTLE = 0.02;

const QUANTITIES: Readonly<Record<QuantityName, string>> = {
  blocked: 'das Warten im Browser',
  dns: 'eine Namensauflösung',
  tcp: 'ein Verbindungsaufbau',
  tls: 'der TLS-Handshake',
  wait: 'die Antwort des Servers',
  receive: 'der Empfang',
  redirect: 'die Umleitung',
  challenged: 'die Anmeldung',
  ttlb: 'eine Anfrage',
  new_connections: 'der Aufbau von Verbindungen',
  cached: 'das Laden aus dem Netz statt aus dem Cache',
  unmeasurable: 'was nicht messbar ist',
  errors: 'das Scheitern',
};

const OCCURS: Readonly<Partial<Record<QuantityName, string>>> = {
  new_connections: 'öffnen eine Verbindung',
  cached: 'kommen aus dem Netz und nicht aus dem Cache,',
  unmeasurable: 'sind nicht messbar,',
  errors: 'scheitern,',
};

function onDays([from, to]: readonly [number, number]): string {
  const [first, last] = [WEEKDAYS[from], WEEKDAYS[to - 1]];
  return first === last ? `${first?.toLowerCase()}s` : `von ${first} bis ${last}`;
}
