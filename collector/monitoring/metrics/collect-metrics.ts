import type { Dimension } from '../../../shared/vocabulary/dimensions.ts';
import { isImported } from '../../../shared/vocabulary/sample-source.ts';
import { SHOWN_GROUPS } from '../../questions/shown-groups.ts';
import { viewerRuleFor } from '../../questions/viewer-rule.ts';
import { groupId } from '../../storage/passes/cell-groups.ts';
import type { Store } from '../../storage/store.ts';
import { gauge, watchHealth } from './health-families.ts';
import { limitCells } from './limit-cells.ts';
import type { MetricFamily } from './metric-family.ts';
import { cellSeries, sampleFamilies } from './sample-families.ts';

/** Scrapers that come more often get the same again, ms. */
const KEPT_MS = 5000;
/** What a series is told apart by. */
const BY: readonly Dimension[] = ['host', 'type', 'scenario', 'source'];
/** Browsers' clocks may be this far ahead, ms. */
const AHEAD_MS = 3_600_000;

export interface MetricsDeps {
  readonly store: Store;
  readonly clock: () => number;
  readonly version: string;
  /** More families, such as the HTTP side's and the alerts'. */
  readonly others: () => MetricFamily[];
}

export interface Metrics {
  /** Start of the process, epoch ms. */
  readonly startedAt: number;
  collect(): Promise<readonly MetricFamily[]>;
  stop(): void;
}

/**
 * Everything that is told to monitoring systems. Samples count from the start of the process, or of the month (UTC) if that
 * was later: as with any counter a reset is seen as one, and a scrape never reads more than a month.
 */
export function createMetrics({ store, clock, version, others }: MetricsDeps): Metrics {
  const startedAt = clock();
  const health = watchHealth(store, version, startedAt);
  let kept: { readonly at: number; readonly families: Promise<readonly MetricFamily[]> } | null = null;

  async function collect(now: number): Promise<readonly MetricFamily[]> {
    const range = { from: Math.max(startedAt, monthStart(now)), to: now + AHEAD_MS };
    const rule = await viewerRuleFor(store, { role: 'read', now }, range);
    const question = { range, filters: {}, by: BY };
    const [shown, { cells }] = await Promise.all([
      rule.minGroupSize === 0 ? null : store.samples.read(SHOWN_GROUPS, { ...question, ...rule }),
      store.samples.aggregate(question),
    ]);
    const own = cells.filter(({ key }) => !isImported(key.source ?? ''));
    const ids = shown === null ? null : new Set(shown.ids);
    const allowed = ids === null ? own : own.filter(({ key }) => ids.has(groupId(BY.map((name) => key[name] ?? null))));
    const { cells: told, full } = limitCells(allowed.map(cellSeries));
    const dropped = { limit: full, few_browsers: own.length - allowed.length };
    return [
      ...(await health.families(now)),
      ...others(),
      gauge(
        'lastbyte_groups_dropped',
        'Groups of host, type, scenario and source that are left out here.',
        '1',
        Object.entries(dropped).map(([reason, groups]) => [{ reason }, groups]),
      ),
      ...sampleFamilies(told, range.from),
    ];
  }

  return {
    startedAt,
    collect() {
      const now = clock();
      if (kept === null || Math.abs(now - kept.at) >= KEPT_MS) {
        const families = collect(now);
        kept = { at: now, families };
        // What failed is not kept: the next one asks again.
        families.catch(() => {
          kept = null;
        });
      }
      return kept.families;
    },
    stop: () => health.stop(),
  };
}

function monthStart(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
