import type { TlsFacts } from '../timing/entry-context.ts';
import { TIME_NAMES, type TimeName } from '../vocabulary/time-names.ts';
import type { Connection, Exclusion, Handshake, ResourceType, ResponseMark, Scheme } from '../vocabulary/vocabulary.ts';
import type { Sample, StoredSample } from './sample.ts';
import {
  NULL,
  type NumberName,
  parseReasons,
  type SampleColumns,
  type TextColumn,
  type TextName,
} from './sample-columns.ts';

/** The columns of a batch or a chunk. If a column is undefined, every row is null. */
export interface ColumnSource {
  at(): Float64Array;
  text(name: TextName): TextColumn | undefined;
  /** NULL if unknown. */
  number(name: NumberName): Float64Array | undefined;
  readonly metricNames: readonly string[];
  /** NaN if a row has no such metric. */
  metric(name: string): Float64Array;
}

const NO_METRICS: Sample['metrics'] = Object.freeze({});

/** Rows of columns as objects, one at a time, for views and tests that need whole samples. The store does not. */
export function sampleReader(columns: ColumnSource): (row: number) => Sample {
  const at = columns.at();
  // Parsed once per distinct combination rather than per row.
  const unknown = columns.text('unknown');
  const reasons = (unknown?.strings ?? []).map(parseReasons);
  const text = (name: TextName, row: number): string | null => {
    const column = columns.text(name);
    return column?.strings[column.codes[row] as number] ?? null;
  };
  const number = (name: NumberName, row: number): number | null => {
    const value = columns.number(name)?.[row] ?? NULL;
    return value === NULL ? null : value;
  };

  return (row) => {
    const mark = text('responseMark', row) as ResponseMark | null;
    const journey = text('journey', row);
    return {
      at: at[row] as number,
      target: text('target', row) as string,
      host: text('host', row) as string,
      scheme: text('scheme', row) as Scheme,
      template: text('template', row) as string,
      type: text('type', row) as ResourceType,
      protocol: text('protocol', row),
      source: text('source', row) as string,
      connection: text('connection', row) as Connection,
      connectionEvidence: text('connectionEvidence', row) as string,
      handshake: text('handshake', row) as Handshake,
      handshakeEvidence: text('handshakeEvidence', row),
      excluded: text('excluded', row) as Exclusion | null,
      status: number('status', row),
      error: text('error', row),
      times: Object.fromEntries(TIME_NAMES.map((name) => [name, number(name, row)])) as Record<TimeName, number | null>,
      unknown: reasons[unknown?.codes[row] ?? NULL] ?? {},
      ...(mark === null ? {} : { responseMark: mark }),
      transferSize: number('transferSize', row),
      encodedBodySize: number('encodedBodySize', row),
      decodedBodySize: number('decodedBodySize', row),
      idleMs: number('idleMs', row),
      serverTime: number('serverTime', row),
      metrics: metricsAt(columns, row),
      tls: tlsAt(text, row),
      ...(journey === null ? {} : { journey, step: number('step', row), run: number('run', row) }),
    };
  };
}

/** Rows of stored columns as objects, each with its client. */
export function rowReader(columns: SampleColumns): (row: number) => StoredSample {
  const read = sampleReader(columns);
  const originOf = columns.origin();
  // The key's id is only used for erasing.
  const origins = columns.origins.map(({ key: _key, ...origin }) => origin);
  return (row) => {
    const origin = origins[originOf[row] as number];
    if (origin === undefined) throw new RangeError(`Row ${row} has no origin.`);
    return { ...read(row), origin };
  };
}

function metricsAt(columns: ColumnSource, row: number): Sample['metrics'] {
  if (columns.metricNames.length === 0) return NO_METRICS;
  const all = columns.metricNames.map((name) => [name, columns.metric(name)[row] as number] as const);
  return Object.fromEntries(all.filter(([, value]) => !Number.isNaN(value)));
}

function tlsAt(text: (name: TextName, row: number) => string | null, row: number): TlsFacts | null {
  const facts = {
    version: text('tlsVersion', row),
    cipher: text('tlsCipher', row),
    keyExchange: text('tlsKeyExchange', row),
    issuer: text('tlsIssuer', row),
  };
  return Object.values(facts).every((fact) => fact === null) ? null : facts;
}
