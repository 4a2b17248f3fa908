import type { Sample } from '../sample/sample.ts';
import type {
  Connection,
  Exclusion,
  Handshake,
  ResourceType,
  ResponseMark,
  Scheme,
  UnknownReason,
} from '../sample/vocabulary.ts';
import type { TlsFacts } from '../timing/entry-context.ts';
import type { TimeName } from '../timing/time-names.ts';
import { readTimes } from './check-times.ts';
import type { RawColumns } from './read-columns.ts';
import type { WireDictionaries } from './wire-batch.ts';

const NO_REASONS: Sample['unknown'] = Object.freeze({});
const NO_METRICS: Sample['metrics'] = Object.freeze({});

type DictionaryName = keyof WireDictionaries;

function entryOf(raw: RawColumns, name: DictionaryName, row: number): unknown {
  const index = raw.indexes[name]?.[row] ?? null;
  return index === null ? null : raw.dictionaries[name][index as number];
}

export function readReasons(raw: RawColumns, row: number): Sample['unknown'] {
  return (entryOf(raw, 'unknown', row) as Partial<Record<TimeName, UnknownReason>> | null) ?? NO_REASONS;
}

/**
 * One row as a sample. Only for rows that were found without a fault, now or before they were stored: each cast
 * below rests on that. `at` is handed in, because it is the sum of all deltas up to this row.
 */
export function readRow(raw: RawColumns, row: number, at: number): Sample {
  const text = (name: DictionaryName) => entryOf(raw, name, row) as string;
  const textOrNull = (name: DictionaryName) => entryOf(raw, name, row) as string | null;
  const number = (column: readonly unknown[] | null) => (column?.[row] ?? null) as number | null;
  return {
    at,
    target: text('target'),
    host: text('host'),
    scheme: text('scheme') as Scheme,
    template: text('template'),
    type: text('type') as ResourceType,
    protocol: textOrNull('protocol'),
    source: text('source'),
    connection: text('connection') as Connection,
    connectionEvidence: text('connectionEvidence'),
    handshake: text('handshake') as Handshake,
    handshakeEvidence: textOrNull('handshakeEvidence'),
    excluded: textOrNull('excluded') as Exclusion | null,
    status: number(raw.status),
    error: textOrNull('error'),
    times: readTimes(raw.times, row),
    unknown: readReasons(raw, row),
    ...readMark(textOrNull('responseMark')),
    transferSize: number(raw.transferSize),
    encodedBodySize: number(raw.encodedBodySize),
    decodedBodySize: number(raw.decodedBodySize),
    idleMs: number(raw.idleMs),
    serverTime: number(raw.serverTime),
    metrics: readMetrics(raw, row),
    tls: readTls(textOrNull),
  };
}

function readMetrics(raw: RawColumns, row: number): Sample['metrics'] {
  const known = raw.metrics.filter(([, column]) => (column[row] ?? null) !== null);
  return known.length === 0 ? NO_METRICS : Object.fromEntries(known.map(([name, c]) => [name, c[row] as number]));
}

/** The ordinary mark is the absent one. */
function readMark(mark: string | null): Pick<Sample, 'responseMark'> {
  return mark === null || mark === 'response_start' ? {} : { responseMark: mark as ResponseMark };
}

function readTls(textOrNull: (name: DictionaryName) => string | null): TlsFacts | null {
  const facts = {
    version: textOrNull('tlsVersion'),
    cipher: textOrNull('tlsCipher'),
    keyExchange: textOrNull('tlsKeyExchange'),
    issuer: textOrNull('tlsIssuer'),
  };
  return Object.values(facts).every((fact) => fact === null) ? null : facts;
}
