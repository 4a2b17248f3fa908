import type { TlsFacts } from '../timing/entry-context.ts';
import { TIME_NAMES, type TimeName } from '../timing/time-names.ts';
import { parseReasons } from './reasons-text.ts';
import type { Sample, StoredSample } from './sample.ts';
import { NULL, type NumberName, type SampleColumns, type TextName } from './sample-columns.ts';
import type { Connection, Exclusion, Handshake, ResourceType, ResponseMark, Scheme } from './vocabulary.ts';

const NO_METRICS: Sample['metrics'] = Object.freeze({});

/** Rows of columns as objects, one at a time: for views that need whole samples, which few do. */
export function rowReader(columns: SampleColumns): (row: number) => StoredSample {
  const at = columns.at();
  const originOf = columns.origin();
  // One parse for each distinct combination, not for each row.
  const reasons = columns.text('unknown').entries.map(parseReasons);
  const text = (name: TextName, row: number): string | null => {
    const { entries, codes } = columns.text(name);
    return entries[codes[row] as number] ?? null;
  };
  const number = (name: NumberName, row: number): number | null => {
    const value = columns.number(name)[row] as number;
    return value === NULL ? null : value;
  };

  return (row) => {
    const mark = text('responseMark', row) as ResponseMark | null;
    const origin = columns.origins[originOf[row] as number];
    if (origin === undefined) throw new RangeError(`Row ${row} has no origin.`);
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
      unknown: reasons[columns.text('unknown').codes[row] as number] ?? {},
      ...(mark === null ? {} : { responseMark: mark }),
      transferSize: number('transferSize', row),
      encodedBodySize: number('encodedBodySize', row),
      decodedBodySize: number('decodedBodySize', row),
      idleMs: number('idleMs', row),
      serverTime: number('serverTime', row),
      metrics: metricsAt(columns, row),
      tls: tlsAt(text, row),
      origin,
    };
  };
}

function metricsAt(columns: SampleColumns, row: number): Sample['metrics'] {
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
