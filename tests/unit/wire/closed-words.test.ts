import { expect, test } from 'vitest';
import { PROTOCOLS, SOURCES } from '../../../shared/sample/vocabulary.ts';
import { batchSamples } from '../../../shared/wire/batch-samples.ts';
import { decodeBatch } from '../../../shared/wire/decode-batch.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { scannedColumnsOf } from './scanned-columns-of.ts';

type Row = Partial<Pick<typeof PLAIN_SAMPLE, 'protocol' | 'source'>>;

function parsedColumnsOf(samples: readonly (typeof PLAIN_SAMPLE)[]) {
  const read = decodeBatch(JSON.parse(JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, NOW, samples))), NOW);
  if (!read.ok) throw new Error(read.message);
  return read.columns;
}

const kept = (columnsOf: typeof scannedColumnsOf, rows: readonly Row[]) =>
  batchSamples(columnsOf(rows.map((row) => ({ ...PLAIN_SAMPLE, ...row })))).map(({ protocol, source }) => [
    protocol,
    source,
  ]);

test.each([
  ['scanned', scannedColumnsOf],
  ['parsed', parsedColumnsOf],
])('known protocols and sources keep their names, all others share one: %s', (_reader, columnsOf) => {
  const protocols = PROTOCOLS.map((protocol) => ({ protocol }));
  expect(kept(columnsOf, protocols)).toEqual(PROTOCOLS.map((protocol) => [protocol, 'page']));
  const sources = SOURCES.map((source) => ({ source }));
  expect(kept(columnsOf, sources)).toEqual(SOURCES.map((source) => ['h2', source]));
  const invented = [{ protocol: 'h2-1' }, { protocol: 'h2-2' }, { source: 'probe-1' }, { source: 'probe-2' }];
  expect(kept(columnsOf, invented)).toEqual([
    ['(other)', 'page'],
    ['(other)', 'page'],
    ['h2', 'probe-other'],
    ['h2', 'probe-other'],
  ]);
});
