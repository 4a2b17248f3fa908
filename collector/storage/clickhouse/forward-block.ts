import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { combineCodes } from '../../reductions/combine-codes.ts';
import type { BufferPool } from '../columns/buffer-pool.ts';
import type { ByteWriter } from '../columns/bytes.ts';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { mergeColumns, type RowSelection } from '../columns/merge-columns.ts';
import { bucketAt, HOUR_MS } from '../rollups/resolutions.ts';
import { type Digest, rowHashes, sumHashes } from '../rollups/row-digest.ts';
import type { BatchRows } from '../sqlite/outbox.ts';
import { encodeSamples } from './encode-samples.ts';
import { NativeWriter } from './native-writer.ts';
import type { ClickHouse } from './open-clickhouse.ts';
import { quotedNames, STORED_COLUMNS } from './sample-table.ts';

/** What the statements that insert a block need. */
export interface EncodedBlock {
  readonly token: string;
  /** The hours of its samples, since 1970. */
  readonly firstHour: number;
  readonly lastHour: number;
  /** How many samples each hour has. */
  readonly samplesOfHours: ReadonlyMap<number, number>;
  readonly samples: Uint8Array;
  readonly clients: Uint8Array;
  readonly arrivals: Uint8Array;
}

/** The chunks of a block as one, without some rows; null if none is left. The same rows always give the same columns. */
export function withoutRows(
  chunks: readonly { readonly id: number; readonly bytes: Uint8Array }[],
  left: readonly BatchRows[],
): SampleColumns | null {
  const parts = chunks.flatMap(({ id, bytes }): RowSelection[] => {
    const columns = decodeChunk(bytes);
    const out = new Uint8Array(columns.n);
    for (const { chunk, first, n } of left) if (chunk === id) out.fill(1, first, first + n);
    const rows = Int32Array.from({ length: columns.n }, (_, row) => row).filter((row) => out[row] === 0);
    return rows.length === 0 ? [] : [{ columns, rows }];
  });
  return parts.length === 0 ? null : mergeColumns(parts);
}

/**
 * @param pool for intermediate columns, which are those of the samples too
 * @param out receives the samples, in the place of what it had
 */
export function encodeBlock(columns: SampleColumns, token: string, pool: BufferPool, out: ByteWriter): EncodedBlock {
  const hashes = rowHashes(columns, pool);
  const hours = combineCodes(
    hoursOf(columns.at(), pool.numbers('hour of row', columns.n)),
    pool.codes('hour of row', columns.n),
  );
  const digests = sumHashes(hashes, hours.codes, hours.entries.length);
  return {
    token,
    firstHour: hours.entries.reduce((least, hour) => Math.min(least, hour)),
    lastHour: hours.entries.reduce((most, hour) => Math.max(most, hour)),
    samplesOfHours: new Map(hours.entries.map((hour, index) => [hour, (digests[index] as Digest).n])),
    samples: encodeSamples(columns, hashes.a, pool, out),
    clients: encodeClients(columns),
    arrivals: encodeArrivals(hours.entries, digests, token),
  };
}

/**
 * Inserts a block of samples, then the browsers it has, then that it has arrived. Each can be repeated: cut off after any of
 * them, the block is sent again under the same token. One whose arrival is noted is not sent again, however many have come
 * since: ClickHouse remembers only the last ones.
 *
 * @param meanwhile called while ClickHouse stores the samples
 */
export async function forwardBlock(clickHouse: ClickHouse, block: EncodedBlock, meanwhile: () => void): Promise<void> {
  const arrived = await arrivedHours(clickHouse, block);
  if (arrived === block.samplesOfHours.size) return;
  // Its arrival is noted month by month: cut off between two, only that has to be repeated.
  if (arrived === 0) {
    await clickHouse.insert(
      `INSERT INTO sample (${quotedNames(STORED_COLUMNS)})`,
      block.samples,
      // A block of imported samples may have more days than a server allows by default.
      { insert_deduplication_token: block.token, max_partitions_per_insert_block: 0 },
      meanwhile,
    );
  }
  // The same browsers may have come before, and have been erased since: replicated tables would take them for a block that they know.
  await clickHouse.insert('INSERT INTO client (client, lastDay)', block.clients, { insert_deduplicate: 0 });
  await clickHouse.insert('INSERT INTO arrival (hour, token, n, a, b)', block.arrivals);
}

/** In how many hours its arrival is noted. */
async function arrivedHours(clickHouse: ClickHouse, { token, firstHour, lastHour }: EncodedBlock): Promise<number> {
  const sql = `SELECT uniqExact(hour) AS n FROM arrival
    WHERE hour >= {firstHour:UInt32} AND hour <= {lastHour:UInt32} AND token = {token:String}`;
  return (await clickHouse.select(sql, { firstHour, lastHour, token })).numbers('n')[0] ?? 0;
}

function hoursOf(at: Float64Array, hours: Float64Array): Float64Array {
  for (let row = 0; row < at.length; row++) hours[row] = Math.floor((at[row] as number) / HOUR_MS);
  return hours;
}

function encodeClients(columns: SampleColumns): Uint8Array {
  const at = columns.at();
  const origin = columns.origin();
  const last = new Float64Array(columns.origins.length);
  for (let row = 0; row < columns.n; row++) {
    const index = origin[row] as number;
    if ((at[row] as number) > (last[index] as number)) last[index] = at[row] as number;
  }
  const lastDays = new Map<string, number>();
  for (const [index, { client }] of columns.origins.entries()) {
    // A batch without rows.
    if (last[index] === 0) continue;
    lastDays.set(client, Math.max(bucketAt('day', last[index] as number), lastDays.get(client) ?? 0));
  }
  const writer = new NativeWriter(2, lastDays.size);
  writer.text('client', {
    strings: [...lastDays.keys()],
    codes: Int32Array.from({ length: lastDays.size }, (_, row) => row),
  });
  writer.uint32('lastDay', Uint32Array.from(lastDays.values()));
  return writer.bytes();
}

function encodeArrivals(hours: readonly number[], digests: readonly Readonly<Digest>[], token: string): Uint8Array {
  const writer = new NativeWriter(5, hours.length);
  writer.uint32('hour', Uint32Array.from(hours));
  writer.text('token', { strings: [token], codes: new Int32Array(hours.length) });
  writer.uint64(
    'n',
    Float64Array.from(digests, ({ n }) => n),
  );
  writer.uint32(
    'a',
    Int32Array.from(digests, ({ a }) => a),
  );
  writer.uint32(
    'b',
    Int32Array.from(digests, ({ b }) => b),
  );
  return writer.bytes();
}
