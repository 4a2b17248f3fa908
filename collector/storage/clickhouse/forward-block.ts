import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { codesOf } from '../../reductions/combine-codes.ts';
import { FRESH_BUFFERS } from '../columns/buffer-pool.ts';
import { bucketOf } from '../rollups/resolutions.ts';
import { sumHashes } from '../rollups/row-digest.ts';
import type { ClickHouse } from './blocking-query.ts';
import { encodeSamples } from './encode-samples.ts';
import { NativeWriter } from './native-writer.ts';
import { quotedNames, SAMPLE_COLUMNS } from './sample-table.ts';

/**
 * Inserts a block of samples, then the browsers it has, then that it has arrived. Each can be repeated: cut off after any of
 * them, the block is sent again under the same token.
 */
export function forwardBlock(clickHouse: ClickHouse, columns: SampleColumns, token: string): void {
  clickHouse.insert(`INSERT INTO sample (${quotedNames(SAMPLE_COLUMNS)})`, encodeSamples(columns), {
    insert_deduplication_token: token,
  });
  clickHouse.insert('INSERT INTO client (client, lastDay)', encodeClients(columns));
  clickHouse.insert('INSERT INTO arrival (hour, token, n, a, b)', encodeArrivals(columns, token));
}

function encodeClients(columns: SampleColumns): Uint8Array {
  const lastDays = new Map<string, number>();
  const at = columns.at();
  const origin = columns.origin();
  const clients = columns.origins.map(({ client }) => client);
  for (let row = 0; row < columns.n; row++) {
    const client = clients[origin[row] as number] as string;
    const day = bucketOf('day', at[row] as number);
    if (day > (lastDays.get(client) ?? 0)) lastDays.set(client, day);
  }
  const writer = new NativeWriter(2, lastDays.size);
  writer.text('client', {
    strings: [...lastDays.keys()],
    codes: Int32Array.from({ length: lastDays.size }, (_, row) => row),
  });
  writer.uint32('lastDay', [...lastDays.values()]);
  return writer.bytes();
}

function encodeArrivals(columns: SampleColumns, token: string): Uint8Array {
  const hours = codesOf(columns.at().map((time) => bucketOf('hour', time)));
  const digests = sumHashes(columns, hours.codes, hours.entries.length, FRESH_BUFFERS);
  const writer = new NativeWriter(5, hours.entries.length);
  writer.uint32('hour', hours.entries);
  writer.text('token', { strings: [token], codes: new Int32Array(hours.entries.length) });
  writer.int64(
    'n',
    digests.map(({ n }) => n),
  );
  writer.uint32(
    'a',
    digests.map(({ a }) => a),
  );
  writer.uint32(
    'b',
    digests.map(({ b }) => b),
  );
  return writer.bytes();
}
