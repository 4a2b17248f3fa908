import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BatchOrigin, StoredSample } from '../../../shared/sample/sample.ts';
import { encodeColumns } from '../../../shared/wire/encode-columns.ts';
import { readColumns } from '../../../shared/wire/read-columns.ts';
import { readRow } from '../../../shared/wire/read-row.ts';
import type { AcceptedBatch } from '../store.ts';
import { StoreError } from '../store-error.ts';

/** First byte of a chunk. Old formats stay readable for ever; only the newest is written. */
const FORMAT_DEFLATED_JSON = 1;
/** Most of what deflate can win, at a fraction of its default's time. */
const DEFLATE_LEVEL = 3;
/** Chunks were limited when they came in. */
const UNLIMITED = { rows: Infinity, dictionaryEntries: Infinity, metrics: Infinity };

interface ChunkDocument {
  readonly origins: readonly BatchOrigin[];
  /** Rows belong to `origins` in runs: [place, how many rows], … */
  readonly runs: readonly (readonly [number, number])[];
}

/** The samples of several batches as one blob, in the order given. */
export function encodeChunk(batches: readonly AcceptedBatch[]): Buffer {
  const samples = batches.flatMap((batch) => batch.samples);
  const places = new Map<string, number>();
  const runs = batches.map((batch) => {
    const key = JSON.stringify(batch.origin);
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return [place, batch.samples.length];
  });
  const origins = [...places.keys()].map((key) => JSON.parse(key) as BatchOrigin);
  const text = JSON.stringify({ origins, runs, n: samples.length, ...encodeColumns(samples) });
  return Buffer.concat([Buffer.of(FORMAT_DEFLATED_JSON), deflateRawSync(text, { level: DEFLATE_LEVEL })]);
}

/** Throws a StoreError with code `store_corrupt` for anything `encodeChunk` didn't write. */
export function decodeChunk(blob: Buffer): StoredSample[] {
  try {
    if (blob[0] !== FORMAT_DEFLATED_JSON) throw new Error(`chunk format ${blob[0]}`);
    const document = JSON.parse(inflateRawSync(blob.subarray(1)).toString()) as ChunkDocument & Record<string, unknown>;
    const raw = readColumns(document, UNLIMITED);
    const samples: StoredSample[] = [];
    let at = 0;
    for (const [place, rows] of document.runs) {
      const origin = document.origins[place];
      if (origin === undefined) throw new Error('run without origin');
      for (const end = samples.length + rows; samples.length < end; ) {
        at += raw.at[samples.length] as number;
        samples.push({ ...readRow(raw, samples.length, at), origin });
      }
    }
    return samples;
  } catch (error) {
    throw new StoreError(
      'store_corrupt',
      'stored samples cannot be read',
      'Stop the collector and restore the data folder from a backup.',
      error,
    );
  }
}
