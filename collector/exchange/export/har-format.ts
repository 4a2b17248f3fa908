import { rowReader } from '../../../shared/sample/sample-reader.ts';
import type { Encode } from './export-format.ts';
import { harEntry } from './har-entry.ts';

/** A few milliseconds of the event loop, so that batches are taken between any two pieces. */
const ROWS_AT_ONCE = 200;

/** http://www.softwareishard.com/blog/har-12-spec/: one log, a page for each target. */
export const encodeHar: Encode = async function* encodeHar(blocks, table, { version }) {
  const told = new Set(table.map(({ name }) => name));
  const creator = JSON.stringify({
    name: 'Lastbyte',
    version,
    comment: 'Method, headers and bodies are not recorded; paths are templates.',
  });
  yield Buffer.from(`{"log":{"version":"1.2","creator":${creator},"entries":[`);
  /** Target → its first sample, epoch ms. */
  const pages = new Map<string, number>();
  let separator = '\n';
  for await (const columns of blocks) {
    const read = rowReader(columns);
    for (let from = 0; from < columns.n; from += ROWS_AT_ONCE) {
      let text = '';
      for (let row = from; row < Math.min(from + ROWS_AT_ONCE, columns.n); row++) {
        const sample = read(row);
        if (!pages.has(sample.target)) pages.set(sample.target, sample.at);
        text += separator + JSON.stringify(harEntry(sample, told));
        separator = ',\n';
      }
      yield Buffer.from(text);
    }
  }
  // Which pages there are is known only now; the order of names in JSON means nothing.
  const list = [...pages].map(([id, at]) => ({
    startedDateTime: new Date(at).toISOString(),
    id,
    title: id,
    pageTimings: {},
  }));
  yield Buffer.from(`\n],"pages":${JSON.stringify(list)}}}\n`);
};
