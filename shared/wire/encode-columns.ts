import type { Sample } from '../sample/sample.ts';
import { OTHER_NUMBERS } from '../sample/sample-columns.ts';
import { TIME_NAMES, type TimeName } from '../vocabulary/time-names.ts';
import type { UnknownReason } from '../vocabulary/vocabulary.ts';
import type { WireColumns, WireDictionaries } from './wire-batch.ts';

type NumberColumn = (number | null)[];

export interface EncodedColumns {
  readonly dictionaries: Partial<WireDictionaries>;
  readonly columns: WireColumns;
}

/** Turns samples, one object each, into one array per column. A column that is null in every row is left out. */
export function encodeColumns(samples: readonly Sample[]): EncodedColumns {
  const dictionaries: Record<string, readonly unknown[]> = {};
  const columns: Record<string, unknown> = { at: deltas(samples) };

  for (const [name, read] of Object.entries(STRING_COLUMNS)) {
    const column = encodeStrings(samples, read);
    if (column === null) continue;
    dictionaries[name] = column.entries;
    columns[name] = column.indexes;
  }
  const unknown = encodeStrings(samples, unknownKey);
  if (unknown !== null) {
    dictionaries.unknown = unknown.entries.map((key) => JSON.parse(key) as unknown);
    columns.unknown = unknown.indexes;
  }
  addNumbers(columns, OTHER_NUMBERS, samples, (sample, name) => sample[name] ?? null);
  columns.times = addNumbers({}, TIME_NAMES, samples, (sample, name) => sample.times[name]);
  const metrics = encodeMetrics(samples);
  if (metrics !== null) columns.metrics = metrics;
  return { dictionaries, columns: columns as unknown as WireColumns };
}

/** Each column has its own dictionary; null is not a dictionary string but a null in the column. */
const STRING_COLUMNS: Readonly<Record<Exclude<keyof WireDictionaries, 'unknown'>, (s: Sample) => string | null>> = {
  target: (s) => s.target,
  host: (s) => s.host,
  scheme: (s) => s.scheme,
  template: (s) => s.template,
  type: (s) => s.type,
  protocol: (s) => s.protocol,
  source: (s) => s.source,
  connection: (s) => s.connection,
  connectionEvidence: (s) => s.connectionEvidence,
  handshake: (s) => s.handshake,
  handshakeEvidence: (s) => s.handshakeEvidence,
  excluded: (s) => s.excluded,
  error: (s) => s.error,
  responseMark: (s) => (s.responseMark === 'response_start' ? null : (s.responseMark ?? null)),
  tlsVersion: (s) => s.tls?.version ?? null,
  tlsCipher: (s) => s.tls?.cipher ?? null,
  tlsKeyExchange: (s) => s.tls?.keyExchange ?? null,
  tlsIssuer: (s) => s.tls?.issuer ?? null,
  journey: (s) => s.journey ?? null,
};

function deltas(samples: readonly Sample[]): number[] {
  let previous = 0;
  return samples.map((sample) => {
    const delta = sample.at - previous;
    previous = sample.at;
    return delta;
  });
}

function encodeStrings(
  samples: readonly Sample[],
  read: (sample: Sample) => string | null,
): { entries: string[]; indexes: NumberColumn } | null {
  const places = new Map<string, number>();
  const indexes = samples.map((sample) => {
    const text = read(sample);
    if (text === null) return null;
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  });
  return places.size === 0 ? null : { entries: [...places.keys()], indexes };
}

/** One spelling per combination of reasons, whatever their order. */
function unknownKey(sample: Sample): string | null {
  const ordered: Partial<Record<TimeName, UnknownReason>> = {};
  for (const name of TIME_NAMES) {
    const reason = sample.unknown[name];
    if (reason !== undefined) ordered[name] = reason;
  }
  const key = JSON.stringify(ordered);
  return key === '{}' ? null : key;
}

function addNumbers<Name extends string>(
  columns: Record<string, unknown>,
  names: readonly Name[],
  samples: readonly Sample[],
  read: (sample: Sample, name: Name) => number | null,
): Record<string, unknown> {
  for (const name of names) {
    const column = samples.map((sample) => read(sample, name));
    if (column.some((value) => value !== null)) columns[name] = column;
  }
  return columns;
}

function encodeMetrics(samples: readonly Sample[]): Record<string, NumberColumn> | null {
  const names = new Set(samples.flatMap((sample) => Object.keys(sample.metrics)));
  if (names.size === 0) return null;
  // Own properties only: a server may call a metric `constructor`.
  const read = (metrics: Sample['metrics'], name: string) =>
    (Object.hasOwn(metrics, name) ? metrics[name] : null) ?? null;
  return Object.fromEntries([...names].map((name) => [name, samples.map(({ metrics }) => read(metrics, name))]));
}
