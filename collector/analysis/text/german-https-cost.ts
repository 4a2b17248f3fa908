import type { HttpsCostWords } from './https-cost-text.ts';
import { numberWords } from './numbers.ts';

const { amount, count, ms, wholeShare } = numberWords('de');
const price = (value: number) => (value < 0.05 ? ms(value) : amount(value));

export const GERMAN_HTTPS_COST: HttpsCostWords = {
  title: 'Was HTTPS kostet',
  all: (apps) => `Alle ${count(apps)} Apps`,
  users: (app) =>
    app === undefined ? 'die Nutzer' : app === null ? 'die Nutzer außerhalb der Apps' : `die Nutzer von ${app}`,
  costs: (users, mean, part, interval) => {
    const known = [
      ...(part === null ? [] : [wholeShare(part)]),
      ...(interval === null ? [] : [`95 %: ${price(interval[0])} bis ${price(interval[1])} ms`]),
    ];
    return `HTTPS kostet ${users} ${price(mean)} ms je Anfrage${known.length === 0 ? '' : ` (${known.join('; ')})`}: `;
  },
  parts: (median, perConnection, opened) =>
    `${price(median)}${median === 0 ? '' : ' ms'} im Median, ${price(perConnection)} ms bei den ${wholeShare(opened)}, die eine Verbindung öffnen.`,
  nothing: (users, requests) =>
    `HTTPS kostet ${users} nichts: Keine von ${count(requests)} Anfragen öffnete eine Verbindung.`,
  untold: (users, reason) => `Was HTTPS ${users} kostet, lässt sich nicht sagen: ${reason}.`,
  noInterval: (reason) => ` Ohne Intervall: ${reason}.`,
  busiest: (part) => ` Ein einziger Browser stellt ${wholeShare(part)} der Anfragen.`,
  hidden: (part) => ` Nicht mitgezählt: die ${wholeShare(part)}, deren Phasen der Browser verbirgt.`,
  reasons: {
    no_samples: 'Von keiner Anfrage sind die Phasen bekannt',
    plain_http: 'Alles ist unverschlüsseltes HTTP',
    merged_h3: 'HTTP/3 baut Transport und TLS in einem Austausch auf',
    not_measured: 'Kein TLS-Handshake wurde gemessen',
    few_browsers: 'Es sind weniger als 10 Browser, oder wenige stellen die meisten Anfragen',
    few_connections: 'Weniger als 30 neue Verbindungen wurden gemessen',
    samples_expired: 'Die einzelnen Anfragen dieses Zeitraums sind nicht mehr gespeichert',
  },
};
