import { setImmediate } from 'node:timers/promises';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { rowReader } from '../../../shared/sample/sample-reader.ts';
import type { SampleStore } from '../store.ts';

/** Samples handed out at a time. In between the event loop gets its turn: objects can only be made here. */
const MAX_BLOCK = 2000;

/** Whole samples, oldest first, of a scan by columns. */
export function createScan(scanColumns: SampleStore['scanColumns']): SampleStore['scan'] {
  return async function* scan(query) {
    for await (const columns of scanColumns(query)) {
      const read = rowReader(columns);
      for (let first = 0; first < columns.n; first += MAX_BLOCK) {
        const block: StoredSample[] = [];
        for (let row = first; row < Math.min(columns.n, first + MAX_BLOCK); row++) block.push(read(row));
        yield block;
        await setImmediate();
      }
    }
  };
}
