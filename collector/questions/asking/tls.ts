import { DIMENSIONS, SAMPLE_DIMENSIONS, type SampleQuery } from '../../../shared/vocabulary/dimensions.ts';
import type { TlsDocument } from '../../analysis/documents/tls-answer.ts';
import { type JsonBytes, joinJson, writeJson } from '../../storage/json-bytes.ts';
import { written } from '../computations.ts';
import { type Asker, prepare } from './asker.ts';
import { type Parameters, readParameters } from './parameters.ts';

const ALL_DIMENSIONS = [...DIMENSIONS, ...SAMPLE_DIMENSIONS] as const;

/** Throws a QueryError. */
export function parseTlsQuery(parameters: Parameters, now: number): SampleQuery {
  const read = readParameters(parameters, ['from', 'to', ...ALL_DIMENSIONS]);
  return { range: read.range(now), filters: read.filters(ALL_DIMENSIONS) };
}

/** Throws a StoreError. */
export async function runTls(asker: Asker, query: SampleQuery): Promise<JsonBytes<TlsDocument>> {
  const { range, rule, method } = await prepare(asker, query.range);
  const answered = { ...query, range };
  const question = { ...answered, ...rule };
  const { head, rest } = await asker.store.samples.read(written('tls'), question, asker);
  return joinJson(writeJson({ method: method(answered, head) }), rest);
}
