import { randomUUID } from 'node:crypto';
import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { combineCodes } from '../../reductions/combine-codes.ts';
import { createBufferPool, FRESH_BUFFERS } from '../columns/buffer-pool.ts';
import { ByteWriter } from '../columns/bytes.ts';
import { mergeColumns } from '../columns/merge-columns.ts';
import { bucketAt, bucketStart } from '../rollups/resolutions.ts';
import { addDigest, type Digest, rowHashes, sumHashes } from '../rollups/row-digest.ts';
import { readHours } from './clickhouse-ranges.ts';
import { encodeBlock, forwardBlock } from './forward-block.ts';
import type { ClickHouse } from './open-clickhouse.ts';
import { readBuckets } from './stored-buckets.ts';

/** Samples of a block at most, unless the source hands out more at once. */
const MAX_BLOCK = 100_000;
const NOTHING: Readonly<Digest> = { n: 0, a: 0, b: 0 };

/** Samples in order of time. */
export type ReadSamples = (range: TimeRange) => AsyncIterable<SampleColumns>;

export interface SampleCopy {
  /** Of the source. */
  readonly read: ReadSamples;
  /** Begins the token of each block, which tells them from those of a collector. */
  readonly name: string;
  /** Throws if ClickHouse has samples that are not from the source: nothing is removed then. */
  readonly expectOwn: () => Promise<void>;
  /** Gets the part of the days that is done. */
  readonly progress: (part: number) => void;
}

export interface CopyPass {
  /** Samples of the source. */
  readonly samples: number;
  /** Days on which one of the two had samples. */
  readonly days: number;
  /** Hours whose samples differed, and are equal now unless the source has changed since. */
  readonly hours: number;
}

/**
 * Makes the samples of ClickHouse those of the source, hour by hour: an hour whose digest differs is replaced whole. What a pass
 * that was cut off has copied need not be noted anywhere, and a pass that finds no difference has compared everything.
 *
 * @param days of the source, since 1970
 */
export async function copySamples(
  clickHouse: ClickHouse,
  days: readonly number[],
  { read, name, expectOwn, progress }: SampleCopy,
): Promise<CopyPass> {
  const arrived = await readBuckets(clickHouse);
  const there = (await clickHouse.select('SELECT DISTINCT toUInt32(intDiv(at, 86400000)) AS day FROM sample')).numbers(
    'day',
  );
  const all = [...new Set([...days, ...there])].sort((a, b) => a - b);
  let [samples, hours] = [0, 0];
  for (const [index, day] of all.entries()) {
    const range = { from: bucketStart('day', day), to: bucketStart('day', day + 1) };
    const own = await digestsOf(read(range));
    const copied = new Map(await readHours(clickHouse, [range]));
    const different: number[] = [];
    const outdated: number[] = [];
    for (let hour = bucketAt('hour', range.from); hour < bucketAt('hour', range.to); hour++) {
      const wanted = own.get(hour) ?? NOTHING;
      // Rollups that are older than their samples have hours too.
      if (wanted.n === 0 && !copied.has(hour)) continue;
      const digests = [copied.get(hour) ?? NOTHING, arrived.digestOf({ resolution: 'hour', bucket: hour })];
      if (digests.every(({ n, a, b }) => n === wanted.n && a === wanted.a && b === wanted.b)) continue;
      different.push(hour);
      if (digests.some(({ n }) => n > 0)) outdated.push(hour);
    }
    samples += [...own.values()].reduce((sum, { n }) => sum + n, 0);
    hours += different.length;
    if (outdated.length > 0) {
      await expectOwn();
      await removeHours(clickHouse, outdated);
    }
    await sendHours(clickHouse, read, name, different);
    progress((index + 1) / all.length);
  }
  return { samples, days: all.length, hours };
}

async function digestsOf(blocks: AsyncIterable<SampleColumns>): Promise<Map<number, Digest>> {
  const digests = new Map<number, Digest>();
  for await (const columns of blocks) {
    const hours = combineCodes(columns.at().map((time) => bucketAt('hour', time)));
    sumHashes(rowHashes(columns, FRESH_BUFFERS), hours.codes, hours.entries.length).forEach((digest, index) => {
      const hour = hours.entries[index] as number;
      const own = digests.get(hour) ?? { ...NOTHING };
      addDigest(own, digest);
      digests.set(hour, own);
    });
  }
  return digests;
}

async function removeHours(clickHouse: ClickHouse, hours: readonly number[]): Promise<void> {
  const list = hours.join(', ');
  await clickHouse.deleteRows('sample', `intDiv(at, 3600000) IN (${list})`);
  await clickHouse.deleteRows('arrival', `hour IN (${list})`);
}

async function sendHours(
  clickHouse: ClickHouse,
  read: ReadSamples,
  name: string,
  hours: readonly number[],
): Promise<void> {
  let waiting: SampleColumns[] = [];
  let rows = 0;
  const send = async () => {
    // A new token each time: ClickHouse would ignore samples that come back after they were removed.
    if (rows > 0) {
      const columns = mergeColumns(waiting.map((own) => ({ columns: own, rows: null })));
      await forwardBlock(
        clickHouse,
        encodeBlock(columns, `${name}${randomUUID()}`, createBufferPool(), new ByteWriter(true)),
        () => {},
      );
    }
    waiting = [];
    rows = 0;
  };
  for (const hour of hours) {
    for await (const columns of read({ from: bucketStart('hour', hour), to: bucketStart('hour', hour + 1) })) {
      if (rows + columns.n > MAX_BLOCK) await send();
      waiting.push(columns);
      rows += columns.n;
    }
  }
  await send();
}
