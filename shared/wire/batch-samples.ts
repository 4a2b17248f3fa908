import { parseReasons } from '../sample/reasons-text.ts';
import type { Sample } from '../sample/sample.ts';
import type { NumberName, TextName } from '../sample/sample-columns.ts';
import type { Connection, Exclusion, Handshake, ResourceType, ResponseMark, Scheme } from '../sample/vocabulary.ts';
import type { TlsFacts } from '../timing/entry-context.ts';
import { TIME_NAMES, type TimeName } from '../timing/time-names.ts';
import type { BatchColumns } from './batch-columns.ts';
import { checkColumns } from './check-columns.ts';
import { encodeColumns } from './encode-columns.ts';
import { readColumns } from './read-columns.ts';

const UNLIMITED = { rows: Infinity, dictionaryEntries: Infinity, metrics: Infinity };

/** Samples as columns, for those who have objects: an import, the demo, tests. None is judged by its age. */
export function batchColumnsOf(samples: readonly Sample[]): BatchColumns {
  const raw = readColumns({ n: samples.length, ...encodeColumns(samples) }, UNLIMITED);
  const { columns, rejected } = checkColumns(raw, { correction: 0, oldest: 0, newest: Infinity });
  const [first] = rejected;
  if (first !== undefined) throw new RangeError(`Sample ${first.row} is not valid (${first.code}).`);
  return columns;
}

/** The rows of a batch as objects, for those who need them; the store does not. */
export function batchSamples(columns: BatchColumns): Sample[] {
  const text = (name: TextName, row: number): string | null => {
    const column = columns.texts[name];
    const index = column?.indexes[row] ?? null;
    return index === null ? null : (column?.entries[index] ?? null);
  };
  const number = (name: NumberName, row: number) => columns.numbers[name]?.[row] ?? null;
  return columns.at.map((at, row): Sample => {
    const mark = text('responseMark', row) as ResponseMark | null;
    const facts: TlsFacts = {
      version: text('tlsVersion', row),
      cipher: text('tlsCipher', row),
      keyExchange: text('tlsKeyExchange', row),
      issuer: text('tlsIssuer', row),
    };
    return {
      at,
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
      unknown: parseReasons(text('unknown', row) ?? ''),
      ...(mark === null ? {} : { responseMark: mark }),
      transferSize: number('transferSize', row),
      encodedBodySize: number('encodedBodySize', row),
      decodedBodySize: number('decodedBodySize', row),
      idleMs: number('idleMs', row),
      serverTime: number('serverTime', row),
      metrics: Object.fromEntries(
        columns.metrics.flatMap(([name, column]) => {
          const value = column[row] ?? null;
          return value === null ? [] : [[name, value] as const];
        }),
      ),
      tls: Object.values(facts).every((fact) => fact === null) ? null : facts,
    };
  });
}
