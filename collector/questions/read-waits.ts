import type { AnyDimension, Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { createWaits, type Waits } from '../analysis/findings/waits.ts';
import { offset } from '../analysis/time/zoned-time.ts';
import { collectRequestTable } from '../storage/passes/collect-request-table.ts';
import type { Within } from '../storage/passes/plan-range.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { countingReader, drawnParts } from './drawn-parts.ts';
import type { ComputeMethod } from './query-context.ts';
import { describeMethod, foldedCells } from './question.ts';
import { type Folded, foldEach, foldingReadings, leftOut, NOTHING_FOLDED } from './visibility/fold-small-groups.ts';
import { createVisibility, type ViewerRule, type Visibility } from './visibility/visibility.ts';

/** More would take seconds and say the same: the rarest cause that is material still has hundreds of requests. */
const MAX_ROWS = 100_000;

export interface WaitsPlan extends ViewerRule {
  readonly range: TimeRange;
  readonly filters: Filters;
  /** Time zone of days and hours, an IANA name. */
  readonly zone: string;
}

export interface ReadWaits {
  readonly waits: Waits;
  /** Of the range's samples that were read: parts of hours drawn from a long range. */
  readonly share: number;
  /** null if everything was read. */
  readonly parts: Within;
  /** One for each of the places. */
  readonly folded: readonly Folded[];
  readonly visibility: Visibility;
  readonly method: ComputeMethod;
}

/**
 * What users waited for in a range, request by request. Throws StoreError `samples_expired`.
 * @param places dimensions by which groups of few browsers are found; first those of which few browsers are left out of everything
 */
export async function readWaits(
  source: ReadingSource,
  plan: WaitsPlan,
  places: readonly (readonly AnyDimension[])[],
): Promise<ReadWaits> {
  const { range, filters, minGroupSize, zone } = plan;
  const sketched = await source.open(range, 'sketches');
  const stored = await sketched.stored();
  const parts = drawnParts(range, stored.samples, MAX_ROWS);
  const all = (await source.open(range, 'fine', 1 + foldingReadings(minGroupSize), parts)).reader();
  const counting = countingReader(all);
  const reader = counting.reader.filtered(filters);
  const visibility = createVisibility(source, plan, range);
  const queries = places.map((by) => ({ by, filters }));
  const folded = await foldEach(visibility, all, queries);
  const [whole = NOTHING_FOLDED] = folded;
  const pass = reader.pass();
  const table = collectRequestTable(pass, pass.groups([], filters, leftOut(whole)), filters.source === undefined);
  await pass.run();
  const read = counting.read();
  const shown = foldedCells(folded.find(({ folding }) => folding !== null) ?? whole, minGroupSize);
  return {
    waits: createWaits(table(), (at) => (zone === 'UTC' ? 0 : offset(at, zone))),
    share: parts === null || read === 0 ? 1 : read / stored.samples,
    parts,
    folded,
    visibility,
    method: await describeMethod(sketched, shown, parts === null),
  };
}
