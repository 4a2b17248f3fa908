import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { ASKED_DIMENSIONS, type SampleQuery } from '../../../shared/vocabulary/dimensions.ts';
import { isLive } from '../../../shared/vocabulary/vocabulary.ts';
import { filters, oneOf, RANGE, type ReadParameters } from '../../questions/parameters.ts';
import type { QueryContext } from '../../questions/query-context.ts';
import { SHOWN_GROUPS } from '../../questions/shown-groups.ts';
import { viewerRuleFor } from '../../questions/viewer-rule.ts';
import { IDENTIFYING_DIMENSIONS } from '../../questions/visibility/identifying-dimensions.ts';
import { groupRows } from '../../reductions/combine-codes.ts';
import { mergeColumns } from '../../storage/columns/merge-columns.ts';
import { groupId } from '../../storage/passes/cell-groups.ts';
import { dimensionColumn } from '../../storage/passes/dimension-column.ts';
import { EXPORT_COLUMNS, forViewers } from './export-columns.ts';
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS } from './export-formats.ts';
import type { YieldToEventLoop } from './paced.ts';

export const EXPORT_PARAMETERS = {
  format: oneOf(EXPORT_FORMAT_NAMES, 'csv', 'Of the file.'),
  range: RANGE,
  filters: filters(ASKED_DIMENSIONS),
};
export type ExportQuery = ReadParameters<typeof EXPORT_PARAMETERS>;

export interface RunningExport {
  readonly mediaType: string;
  /** Whether rows of too few browsers are left out. Their number would reveal what these browsers did. */
  readonly leftOut: boolean;
  /** The file, piece by piece. Ending the iteration early ends the work. */
  readonly bytes: AsyncGenerator<Uint8Array>;
}

/** Samples written, and the finished part of the time range, 0 to 1. */
export type ExportProgress = (rows: number, share: number) => void;

export interface ExportOptions {
  readonly progress?: ExportProgress;
  /** Called before each block of samples; absent in commands, which have the event loop to themselves. */
  readonly yieldToEventLoop?: YieldToEventLoop;
}

/** Samples of a range as a file. Viewers get a fixed list of columns, and no rows of groups with too few browsers. */
export async function runExport(
  { store, version, viewer, signal, token }: QueryContext,
  query: ExportQuery,
  { progress = () => {}, yieldToEventLoop = async () => {} }: ExportOptions = {},
): Promise<RunningExport> {
  const { mediaType, encode } = EXPORT_FORMATS[query.format];
  const rule = await viewerRuleFor(store, viewer, query.range, { signal, token });
  const table = EXPORT_COLUMNS.filter((column) => viewer.role === 'admin' || forViewers(column));
  const samples = yielding(store.samples.scanColumns(query), yieldToEventLoop);
  const wanted = query.filters.source === undefined ? mapBlocks(samples, onlyLive) : samples;
  const read = reporting(wanted, query, progress, signal);
  const groups =
    rule.minGroupSize === 0
      ? null
      : await store.samples.read(
          SHOWN_GROUPS,
          { range: query.range, filters: query.filters, by: IDENTIFYING_DIMENSIONS, ...rule },
          { signal, token },
        );
  const shown = groups === null ? null : new Set(groups.ids);
  const blocks = shown === null ? read : mapBlocks(read, (block) => keepShown(block, shown));
  return { mediaType, leftOut: groups?.leftOut ?? false, bytes: (await encode())(blocks, table, { version }) };
}

async function* yielding(
  blocks: AsyncIterable<SampleColumns>,
  yieldToEventLoop: YieldToEventLoop,
): AsyncGenerator<SampleColumns> {
  for await (const block of blocks) {
    await yieldToEventLoop();
    yield block;
  }
}

/** As in every other query, imports and loads are included only if their source is requested. */
function onlyLive(block: SampleColumns): SampleColumns | null {
  const { strings, codes } = block.text('source');
  const live = strings.map(isLive);
  if (!live.includes(false)) return block;
  const rows = Int32Array.from(codes.keys()).filter((row) => live[codes[row] as number] !== false);
  return rows.length === 0 ? null : mergeColumns([{ columns: block, rows }]);
}

async function* mapBlocks(blocks: AsyncIterable<SampleColumns>, map: (block: SampleColumns) => SampleColumns | null) {
  for await (const block of blocks) {
    const rest = map(block);
    if (rest !== null) yield rest;
  }
}

async function* reporting(
  blocks: AsyncIterable<SampleColumns>,
  { range }: SampleQuery,
  progress: ExportProgress,
  signal: AbortSignal | undefined,
): AsyncGenerator<SampleColumns> {
  let rows = 0;
  for await (const block of blocks) {
    signal?.throwIfAborted();
    yield block;
    rows += block.n;
    const last = block.at()[block.n - 1] ?? range.from;
    progress(rows, (last - range.from) / (range.to - range.from));
  }
}

/**
 * The rows of a block whose group by the identifying dimensions may be shown; null if there are none.
 *
 * @param shown ids of these groups, by `groupId`
 */
function keepShown(block: SampleColumns, shown: ReadonlySet<string>): SampleColumns | null {
  const columns = IDENTIFYING_DIMENSIONS.map((dimension) => dimensionColumn(block, dimension));
  const sizes = columns.map(({ codes, strings }) => ({ codes, size: strings.length }));
  const { codes: groupOf, first } = groupRows(block.n, sizes);
  const keeps = first.map((row) =>
    shown.has(groupId(columns.map(({ codes, strings }) => strings[codes[row] as number] ?? null))),
  );
  const rows = Int32Array.from(groupOf.keys()).filter((row) => keeps[groupOf[row] as number] === true);
  if (rows.length === block.n) return block;
  return rows.length === 0 ? null : mergeColumns([{ columns: block, rows }]);
}
