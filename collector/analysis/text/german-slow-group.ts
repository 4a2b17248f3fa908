import type { Phase } from '../../../shared/vocabulary/time-names.ts';
import type { ENGLISH_SLOW_GROUP } from './english-slow-group.ts';
import { numberWords } from './numbers.ts';

const { count, limit, upTo, wholeShare } = numberWords('de');

const SPENT: Readonly<Record<Phase, string>> = {
  blocked: 'dem Anstehen im Browser',
  dns: 'der Namensauflösung',
  tcp: 'dem Verbindungsaufbau',
  tls: 'TLS-Handshakes',
  wait: 'dem Warten auf den Server',
  receive: 'dem Empfang des Inhalts',
};

export const GERMAN_SLOW_GROUP: typeof ENGLISH_SLOW_GROUP = {
  labels: {
    retransmission: (step) =>
      `mussten ${step.startsWith('dns') ? 'die Namensauflösung' : 'den Verbindungsaufbau'} nach ${/\d+/.exec(step)} s wiederholen`,
    template: (path) => `gelten ${path}`,
    host: (host) => `gehen an ${host}`,
    type: (type) => `sind ${type}`,
    client: (id) => `kommen vom Browser ${id}`,
    site: (site) => `kommen vom Standort ${site}`,
    browser: (browser) => `kommen von ${browser}`,
    protocol: (protocol) => `nutzen ${protocol}`,
    connection: (connection) => `nutzen eine ${connection}`,
    status: (status) => `erhielten Status ${status}`,
    size: (kb) => `haben einen Inhalt von etwa ${kb < 1000 ? `${upTo(kb, 0)} KB` : `${upTo(kb / 1024, 0)} MB`}`,
    hourOfDay: (time, end) => `fallen in die Zeit von ${time} bis ${end} Uhr`,
    hourOfWeek: (day, time, end) => `fallen auf ${day}, ${time} bis ${end} Uhr`,
  },
  notReported: {
    retransmission: 'haben einen unbekannten Verbindungsaufbau',
    template: 'haben einen unbekannten Pfad',
    host: 'gehen an einen unbekannten Host',
    type: 'haben einen unbekannten Typ',
    client: 'kommen von einem unbekannten Browser',
    site: 'kommen von Browsern ohne Standort',
    browser: 'kommen von einem unbekannten Browser',
    protocol: 'melden kein Protokoll',
    connection: 'nutzen eine unbekannte Verbindung',
    status: 'melden keinen Status',
    size: 'melden keine Größe',
    hourOfDay: 'fallen in eine unbekannte Stunde',
    hourOfWeek: 'fallen in eine unbekannte Stunde',
  },
  spends: (from, { phase, inside, outside }) =>
    `Anfragen über ${limit(from)} verbringen ${wholeShare(inside)} ihrer Zeit mit ${SPENT[phase]} (die übrigen ${wholeShare(outside)}).`,
  share: (from, what, { inside, outside }) =>
    `${wholeShare(inside)} ${from === null ? 'von ihnen' : `der Anfragen über ${limit(from)}`} ${what}, von den übrigen ${outside === 0 ? 'keine' : wholeShare(outside)}.`,
  reasons: {
    few_slow: (from, slow) =>
      `${slow === 1 ? 'Nur 1 Anfrage dauert' : `Nur ${count(slow)} Anfragen dauern`} über ${limit(from)}: zu wenige, um zu sagen, was sie gemeinsam haben.`,
    few_browsers: (from) =>
      `Was Anfragen über ${limit(from)} gemeinsam haben, wird nicht angezeigt, weil es zu wenige Browser betrifft.`,
    nothing_stands_out: (from) =>
      `An den Anfragen über ${limit(from)} fällt nichts auf: Sie haben dieselben Pfade, Standorte, Uhrzeiten und Verbindungen wie die übrigen.`,
  },
};
