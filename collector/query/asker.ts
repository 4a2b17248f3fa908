import { type AnyDimension, FEW_BROWSERS, type Filters, type TimeRange } from '../../shared/summary/dimensions.ts';
import type { FoldedCells, SummaryMethod } from '../../shared/summary/summary-document.ts';
import { WIRE_VERSION } from '../../shared/wire/wire-batch.ts';
import { answeredRange } from '../store/query/plan-range.ts';
import type { Store, Watch } from '../store/store.ts';
import { type Audience, EVERYTHING, foldRuleFor } from './privacy.ts';
import { RULES } from './rules.ts';

/** Who asks what store. A command reads its own files and sees everything. */
export interface Asker extends Watch {
  readonly store: Store;
  /** Lastbyte's own. */
  readonly version: string;
  readonly audience?: Audience;
  /** Epoch ms: an open range ends when its answer is there. Without it, when it was asked. */
  readonly clock?: () => number;
}

interface Asked {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly by?: readonly AnyDimension[];
}

interface Answered {
  readonly exact: boolean;
  readonly bound: number;
  readonly dataHash: string;
  readonly folded: FoldedCells | null;
}

/** What every question needs beside itself: the settings in force and what may be shown. */
export async function prepare({ store, version, audience = EVERYTHING, clock }: Asker, range: TimeRange) {
  const settings = await store.settings.read();
  const rule = await foldRuleFor(store, audience, range);
  return {
    rule,
    nameBrowsers: audience.role === 'admin',
    method: (asked: Asked, { exact, bound, dataHash, folded }: Answered): SummaryMethod => ({
      from: new Date(asked.range.from).toISOString(),
      to: new Date(endOf(asked.range, clock)).toISOString(),
      by: asked.by ?? [],
      filters: asked.filters,
      rules: folded === null ? RULES : [...RULES, foldingRule(folded)],
      versions: { lastbyte: version, wire: WIRE_VERSION, settings: settings?.revision ?? 0 },
      exact,
      bound,
      dataHash,
      ...(folded === null ? {} : { folded }),
    }),
  };
}

/** Who waited past the end of the hour got nothing of the next one. */
function endOf(range: TimeRange, clock: Asker['clock']): number {
  return range.open && clock ? Math.min(clock(), answeredRange(range).to) : range.to;
}

function foldingRule({ below, cells, samples, shownTogether }: FoldedCells): string {
  const what = `${cells} ${cells === 1 ? 'group' : 'groups'} of fewer than ${below} browsers (${samples} samples)`;
  return shownTogether
    ? `${what} stand together as ${FEW_BROWSERS}, or as nothing where they are too few even together.`
    : `${what} are left out: a single person could be told by them.`;
}
