import type { Phase } from '../../../shared/vocabulary/time-names.ts';
import type { ENGLISH_SLOW_GROUP } from './english-slow-group.ts';
import { numbersOf } from './numbers.ts';

const { count, limit, times, upTo, wholeShare } = numbersOf('de');

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
      `${step.startsWith('dns') ? 'eine Namensauflösung' : 'ein Verbindungsaufbau'} mit Wiederholung nach ${/\d+/.exec(step)} s`,
    type: (type) => `der Typ „${type}“`,
    client: (id) => `der Browser ${id}`,
    site: (site) => `der Standort ${site}`,
    connection: (connection) => `eine ${connection}`,
    status: (status) => `Status ${status}`,
    size: (kb) => `ein Inhalt von etwa ${kb < 1000 ? `${upTo(kb, 0)} KB` : `${upTo(kb / 1024, 0)} MB`}`,
    hourOfDay: (time, end) => `die Stunde von ${time} bis ${end} Uhr`,
    hourOfWeek: (day, time, end) => `${day} von ${time} bis ${end} Uhr`,
  },
  notReported: {
    retransmission: 'ein unbekannter Verbindungsaufbau',
    template: 'ein unbekannter Pfad',
    host: 'ein unbekannter Host',
    type: 'ein unbekannter Typ',
    client: 'ein unbekannter Browser',
    site: 'ein fehlender Standort',
    browser: 'ein unbekannter Browser',
    protocol: 'ein nicht gemeldetes Protokoll',
    connection: 'eine unbekannte Verbindung',
    status: 'ein nicht gemeldeter Status',
    size: 'eine nicht gemeldete Größe',
    hourOfDay: 'eine unbekannte Stunde',
    hourOfWeek: 'eine unbekannte Stunde',
  },
  spends: (from, { phase, inside, outside }) =>
    `Anfragen über ${limit(from)} verbringen ${wholeShare(inside)} ihrer Zeit mit ${SPENT[phase]} (die übrigen ${wholeShare(outside)})`,
  among: (from, value) => `Unter den Anfragen über ${limit(from)} ist ${value}`,
  amongThem: (value) => `; unter ihnen ist ${value}`,
  and: (value) => ` und ${value}`,
  occurs: (label, { inside, outside }) =>
    outside === 0
      ? `${label} mit ${wholeShare(inside)} und sonst nie vertreten`
      : `${label} ${times(inside / outside)}‑mal so häufig wie sonst (${wholeShare(inside)} gegenüber ${wholeShare(outside)})`,
  reasons: {
    few_slow: (from, slow) =>
      `${slow === 1 ? 'Nur 1 Anfrage dauert' : `Nur ${count(slow)} Anfragen dauern`} über ${limit(from)}: zu wenige, um zu sagen, was sie gemeinsam haben.`,
    few_browsers: (from) =>
      `Was Anfragen über ${limit(from)} gemeinsam haben, wird nicht angezeigt, weil es zu wenige Browser betrifft.`,
    nothing_stands_out: (from) =>
      `An den Anfragen über ${limit(from)} fällt nichts auf: Pfade, Standorte, Uhrzeiten und Verbindungen sind die der übrigen.`,
  },
};
