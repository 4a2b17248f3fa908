import type { ENGLISH_FINDINGS } from './english-findings.ts';
import { numberWords } from './numbers.ts';

const { amount, count, limit, upTo, wholeShare } = numberWords('de');
const ms = (value: number) => `${amount(value)} ms`;
const site = (name: string | null) => name ?? '(ohne Standort)';
const hours = ([from, to]: readonly [number, number]) => `von ${from} bis ${to} Uhr`;
const day = (iso: string | null) => (iso ?? '').split('-').reverse().join('.');

export const GERMAN_FINDINGS: typeof ENGLISH_FINDINGS = {
  slow_server: {
    title: ({ app, host, path, waitMs, peersMs }) =>
      path === null
        ? `${app}${host} antwortet auf alles langsam: im Mittel nach ${ms(waitMs)}, anderswo nach ${ms(peersMs)}`
        : `${app}${host}${path} braucht ${ms(waitMs)} für eine Antwort, vergleichbare Anfragen brauchen ${ms(peersMs)}`,
    action: ({ path }) =>
      path === null
        ? 'Für den Serverbetrieb: klären, worauf der Server wartet – Prozessor, Datenbank oder ein Dienst dahinter.'
        : 'Für die Entwicklung der App: klären, was der Server dafür berechnet und was sich davon zwischenspeichern oder weglassen lässt.',
  },
  slow_third_party: {
    title: ({ app, host, path, waitMs, peersMs }) =>
      `${app}${host}${path ?? ''}, ein fremder Anbieter, braucht ${ms(waitMs)}; vergleichbare Anfragen brauchen ${ms(peersMs)}`,
    action: () => 'Für die Entwicklung der App: später laden, selbst ausliefern oder mit dem Anbieter sprechen.',
  },
  slow_hours: {
    title: ({ app, host, period, factor }) =>
      `${app}${host} braucht ${hours(period)} ${upTo(factor, 1)}-mal so lange wie zu anderen Zeiten`,
    action: () => 'Für den Serverbetrieb: prüfen, was um diese Zeit sonst noch läuft, oder die Kapazität erhöhen.',
  },
  packet_loss: {
    title: ({ app, host, place, lossShare, connects }) =>
      `${host === '' ? `Standort ${site(place)}` : `${app}${host}`} verliert Pakete: ${wholeShare(lossShare)} von ${count(connects)} Verbindungen kamen erst nach einer Sekunde oder später zustande`,
    action: ({ host }) =>
      host === ''
        ? 'Für das Netzwerkteam: die Leitung des Standorts und den Weg zum Rechenzentrum prüfen.'
        : 'Für das Netzwerkteam: den Weg zu diesem Host, den Load Balancer und dessen Warteschlange prüfen.',
  },
  early_close: {
    title: ({ app, host, idleMs }) =>
      `${app}${host} schließt Verbindungen nach ${limit(idleMs)} ohne Anfrage, bevor die Nutzer weiterarbeiten`,
    action: () => 'Für den Serverbetrieb: das Keep-Alive-Timeout auf eine Minute oder mehr stellen.',
  },
  full_handshakes: {
    title: ({ app, host, since, perHandshakeMs }) =>
      `${app}${host} nimmt${since === null ? '' : ` seit ${day(since)}`} keine TLS-Sitzungen wieder auf; jeder volle Handshake dauert ${ms(perHandshakeMs)} länger`,
    action: () => 'Für den Serverbetrieb: Session-Tickets einschalten, mit demselben Schlüssel auf allen Instanzen.',
  },
  inspection: {
    title: ({ place }) => `Am Standort ${site(place)} bricht ein Proxy alle TLS-Verbindungen auf`,
    action: () => 'Für das Netzwerkteam: die eigenen Apps dort von der TLS-Inspektion ausnehmen.',
  },
  far_site: {
    title: ({ place, connectMs, elsewhereMs }) =>
      `Standort ${site(place)} ist weit weg: Ein Verbindungsaufbau dauert ${ms(connectMs)}, anderswo ${ms(elsewhereMs)}`,
    action: () =>
      'Für das Netzwerkteam: prüfen, ob der Verkehr einen Umweg nimmt; sonst den Standort aus der Nähe bedienen, etwa über ein CDN.',
  },
  slow_dns: {
    title: ({ place, lookupMs, elsewhereMs }) =>
      `Am Standort ${site(place)} dauert eine Namensauflösung ${ms(lookupMs)}, anderswo ${ms(elsewhereMs)}`,
    action: () => 'Für das Netzwerkteam: die DNS-Server prüfen, die die Rechner dort verwenden.',
  },
  large_download: {
    title: ({ app, host, path, bytes, receiveMs }) =>
      `${app}${host}${path ?? ''} ist ${upTo(bytes / 1e6, 1)} MB groß: Der Empfang dauert ${ms(receiveMs)}`,
    action: () =>
      'Für die Entwicklung der App: weniger auf einmal senden, komprimieren oder im Browser zwischenspeichern lassen.',
  },
  queueing: {
    title: ({ app, host, path, blockedMs }) =>
      `${app}${host}${path ?? ''} nutzt noch HTTP/1.1: Die Anfragen warten ${ms(blockedMs)} im Browser auf eine freie Verbindung`,
    action: () =>
      'Für den Serverbetrieb: HTTP/2 einschalten; oder die Seite weniger Dateien zugleich anfordern lassen.',
  },
  cold_cache: {
    title: ({ app, cachedShare, elsewhereShare }) =>
      `${app}Skripte und Stylesheets werden jedes Mal neu geladen: ${wholeShare(cachedShare)} kommen aus dem Cache des Browsers, bei anderen Apps ${wholeShare(elsewhereShare)}`,
    action: () => 'Für den Serverbetrieb: das Zwischenspeichern mit Cache-Control erlauben.',
  },
  slow_browser: {
    title: ({ place, blockedMs }) =>
      `Ein Browser am Standort ${site(place)} hält jede Anfrage ${ms(blockedMs)} lang zurück`,
    action: () => 'Für den Support: auf diesem Rechner nach einer Erweiterung oder Sicherheitssoftware suchen.',
  },
  busy_line: {
    title: ({ place, period, factor }) =>
      `Die Leitung des Standorts ${site(place)} ist ${hours(period)} ausgelastet: Der Empfang dauert ${upTo(factor, 1)}-mal so lange`,
    action: () => 'Für das Netzwerkteam: prüfen, was die Leitung um diese Zeit füllt, oder sie ausbauen.',
  },
  errors: {
    title: ({ app, host, errorShare, since, days }) =>
      `${app}${host} hat ${days > 1 ? `an ${count(days)} Tagen ab dem ${day(since)}` : `am ${day(since)}`} ${wholeShare(errorShare)} der Anfragen mit Fehlern beantwortet`,
    action: () => 'Für den Serverbetrieb: das Protokoll aus dieser Zeit ansehen.',
  },
  redirects: {
    title: ({ app, host, perRequestMs, redirectedShare }) =>
      `${app}${wholeShare(redirectedShare)} der Seiten von ${host} sind nur über Umleitungen erreichbar, die ${ms(perRequestMs)} dauern`,
    action: () => 'Für die Entwicklung der App: gleich auf die Adresse verlinken, an der die Umleitungen enden.',
  },
  change: {
    title: ({ app, host, since, beforeMs, afterMs }) =>
      `${app}${host} ist seit ${day(since)} ${afterMs > beforeMs ? 'langsamer' : 'schneller'}: ${ms(afterMs)} statt ${ms(beforeMs)}`,
    action: () => 'Für die Entwicklung der App: prüfen, welche Version an diesem Tag ausgerollt wurde.',
  },
  more: {
    saves: ({
      savedShare: share,
      interval: [low, high],
      affectedRequests,
      affectedShare,
      browsersShare,
      perRequestMs,
    }) =>
      `Betrifft ${count(affectedRequests)} Anfragen (${wholeShare(affectedShare)} der Netzanfragen)${browsersShare === null ? '' : ` von ${wholeShare(browsersShare)} der Browser`}; jede dauert ${ms(perRequestMs)} länger: ${upTo(share * 100, 1)} % der Gesamtzeit (${upTo(low * 100, 1)} bis ${upTo(high * 100, 1)} %).`,
  },
};
