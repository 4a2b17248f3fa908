import { expect, test } from 'vitest';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import { foldSmallGroups } from '../../../collector/questions/visibility/fold-small-groups.ts';
import { maxCheckedCells } from '../../../collector/questions/visibility/hidden-cells.ts';
import { decodeChunk } from '../../../collector/storage/columns/decode-chunk.ts';
import { encodeHotChunk } from '../../../collector/storage/columns/hot-chunk.ts';
import { createCountedBrowsers } from '../../../collector/storage/passes/browser-sets.ts';
import { createRangeReader } from '../../../collector/storage/passes/range-reader.ts';
import { createCellCatalog } from '../../../collector/storage/rollups/cell-catalog.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';

const PERSONAL = ['host', 'target', 'site', 'template', 'browser', 'browserVersion', 'extension'] as const;

/** One browser asks for so many pages. */
function foldPages(pages: number) {
  const catalog = createCellCatalog();
  const samples = Array.from({ length: pages }, (_, page) => ({ ...PLAIN_SAMPLE, template: `/${page}` }));
  const columns = decodeChunk(encodeHotChunk([{ origin: ORIGIN, columns: toBatchColumns(samples) }]).bytes);
  const rows = () => [{ columns, ranges: null, t0: 0, stored: columns.n, lasting: true }];
  const reader = createRangeReader({ blocks: () => [], clientBlocks: () => [], rows }, catalog, true);
  const counts = () => true;
  const viewer = { minGroupSize: 5, counts, counted: createCountedBrowsers(catalog, 5, counts) };
  return foldSmallGroups(viewer, reader, { by: PERSONAL, filters: {} });
}

test('a viewer is refused more combinations than can be checked in seconds, and told what to do', async () => {
  const most = maxCheckedCells(PERSONAL.length);
  expect((await foldPages(most)).folding?.ids.size).toBe(most);
  await expect(foldPages(most + 1)).rejects.toThrow(
    expect.objectContaining({ code: 'too_many_groups', hint: expect.stringMatching(/fewer of them|shorter range/) }),
  );
});
