import { type CellKey, partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import type { CompareCell, CompareDocument } from '../../questions/compare.ts';
import { formatDifference, formatMs } from '../text/format.ts';
import { t } from '../text/t.ts';

const texts = t.overview.changes;

/** The comparison with an earlier range: switched off, loading, unavailable, or by the key of a cell. */
export type Changes =
  | { readonly kind: 'off' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'known'; readonly cells: ReadonlyMap<string, CompareCell> };

export const NO_CHANGES: Changes = { kind: 'off' };

/** A row's change, ready to draw. */
export type Trend =
  | { readonly kind: 'off' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'unknown'; readonly reason: string }
  | {
      readonly kind: 'known';
      readonly difference: number;
      /** The difference is significant and large enough to matter. */
      readonly changed: boolean;
      /** The result with its interval, as text. */
      readonly text: string;
    };

export function toChanges({ cells }: Pick<CompareDocument, 'cells'>): Changes {
  return { kind: 'known', cells: new Map(cells.map((cell) => [keyOf(cell), cell])) };
}

export function toTrend(cell: CellKey, changes: Changes): Trend {
  if (changes.kind === 'off' || changes.kind === 'loading') return changes;
  if (changes.kind === 'missing') return { kind: 'unknown', reason: changes.reason };
  const found = changes.cells.get(keyOf(cell));
  if (found === undefined) return { kind: 'unknown', reason: texts.tooSmall };
  if (found.change === null) {
    const { before, notCompared } = found;
    if (notCompared === 'few_samples' || notCompared === 'few_browsers')
      return { kind: 'unknown', reason: texts[notCompared] };
    return { kind: 'unknown', reason: before === null ? texts.notBefore : texts.notNow };
  }
  const { before, after, difference, changed, interval } = found.change;
  const [low, high] = interval;
  const what = changed ? (difference > 0 ? texts.slower : texts.faster) : texts.none;
  const medians = texts.medians(what, formatMs(before), formatMs(after), formatDifference(difference));
  const between =
    low === undefined || high === undefined ? null : texts.between(formatDifference(low), formatDifference(high));
  return { kind: 'known', difference, changed, text: between === null ? medians : `${medians}, ${between}` };
}

function keyOf(cell: CellKey): string {
  return JSON.stringify(partsOfKey(cell));
}
