import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { SampleQuery } from '../../../shared/vocabulary/dimensions.ts';
import { isImported } from '../../../shared/vocabulary/sample-source.ts';
import { ALL_DIMENSIONS, filters, oneOf, RANGE, type ReadParameters } from '../../questions/parameters.ts';
import type { QueryContext } from '../../questions/query-context.ts';
import { SHOWN_GROUPS } from '../../questions/shown-groups.ts';
import { SEES_EVERYTHING, viewerRuleFor } from '../../questions/viewer-rule.ts';
import { mergeColumns } from '../../storage/columns/merge-columns.ts';
import { EXPORT_COLUMNS, forViewers } from './export-columns.ts';
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS } from './export-formats.ts';
import { JUDGED_BY, keepShown } from './leave-out-small-groups.ts';
import type { NextTurn } from './loop-turns.ts';

export const EXPORT_PARAMETERS = {
  format: oneOf(EXPORT_FORMAT_NAMES, 'csv', 'Of the file.'),
  range: RANGE,
  filters: filters(ALL_DIMENSIONS),
};
export type ExportQuery = ReadParameters<typeof EXPORT_PARAMETERS>;

export interface RunningExport {
  readonly mediaType: string;
  /** Whether rows are left out because so few browsers are behind them. How many would tell what these browsers did. */
  readonly leftOut: boolean;
  /** The file, piece by piece. Ending the iteration early ends the work. */
  readonly bytes: AsyncGenerator<Uint8Array>;
}

/** How far it is: samples written, and the share of the time range that is behind, 0 to 1. */
export type ExportProgress = (rows: number, share: number) => void;

export interface ExportWatch {
  readonly progress?: ExportProgress;
  /** Awaited before each block of samples; absent in a command, which has the event loop to itself. */
  readonly nextTurn?: NextTurn;
}

/** Samples of a range as a file. Viewers get a closed list of columns, and no row that few browsers stand behind. */
export async function runExport(
  { store, version, viewer = SEES_EVERYTHING, signal, token }: QueryContext,
  query: ExportQuery,
  { progress = () => {}, nextTurn = async () => {} }: ExportWatch = {},
): Promise<RunningExport> {
  const { mediaType, encode } = EXPORT_FORMATS[query.format];
  const rule = await viewerRuleFor(store, viewer, query.range, { signal, token });
  const table = EXPORT_COLUMNS.filter((column) => viewer.role === 'admin' || forViewers(column));
  const read = (told: ExportProgress) => {
    const samples = inTurn(store.samples.scanColumns(query), nextTurn);
    const wanted = query.filters.source === undefined ? kept(samples, withoutImports) : samples;
    return watched(wanted, query, told, signal);
  };
  const groups =
    rule.minGroupSize === 0
      ? null
      : await store.samples.read(
          SHOWN_GROUPS,
          { range: query.range, filters: query.filters, by: JUDGED_BY, ...rule },
          { signal, token },
        );
  const shown = groups === null ? null : new Set(groups.ids);
  const blocks = shown === null ? read(progress) : kept(read(progress), (block) => keepShown(block, shown));
  return { mediaType, leftOut: groups?.leftOut ?? false, bytes: (await encode())(blocks, table, { version }) };
}

async function* inTurn(blocks: AsyncIterable<SampleColumns>, nextTurn: NextTurn): AsyncGenerator<SampleColumns> {
  for await (const block of blocks) {
    await nextTurn();
    yield block;
  }
}

/** Recordings are in an export only if their source was asked for, as in every other answer. */
function withoutImports(block: SampleColumns): SampleColumns | null {
  const { entries, codes } = block.text('source');
  const imported = entries.map(isImported);
  if (!imported.includes(true)) return block;
  const rows = Int32Array.from(codes.keys()).filter((row) => imported[codes[row] as number] !== true);
  return rows.length === 0 ? null : mergeColumns([{ columns: block, rows }]);
}

async function* kept(blocks: AsyncIterable<SampleColumns>, keep: (block: SampleColumns) => SampleColumns | null) {
  for await (const block of blocks) {
    const rest = keep(block);
    if (rest !== null) yield rest;
  }
}

async function* watched(
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
