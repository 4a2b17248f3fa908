import type { Dimension } from '../../../shared/vocabulary/dimensions.ts';
import { isLive } from '../../../shared/vocabulary/vocabulary.ts';
import { OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import { SHOWN_GROUPS } from '../../questions/shown-groups.ts';
import { viewerRuleFor } from '../../questions/viewer-rule.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import { groupId } from '../../storage/passes/cell-groups.ts';
import type { Store } from '../../storage/store.ts';
import { type StoreCode, StoreError } from '../../storage/store-error.ts';
import { watchHealth } from './health-families.ts';
import { gauge, type MetricFamily } from './metric-family.ts';
import { cellSeries, limitCells, sampleFamilies } from './sample-families.ts';

/** How long the metrics are cached for more frequent scrapes, ms. */
const CACHED_MS = 5000;
/** ClickHouse does not answer, or not to this collector. */
const SAMPLES_AWAY: ReadonlySet<StoreCode> = new Set(['samples_unreachable', 'samples_refused']);
/** The labels of a series. */
const BY: readonly Dimension[] = ['target', 'host', 'type', 'scenario', 'source'];
/** How far browsers' clocks may be ahead, ms. */
const AHEAD_MS = 3_600_000;

export interface MetricsDeps {
  readonly store: Store;
  readonly clock: () => number;
  readonly version: string;
  /** More families, such as the HTTP side's and the alerts'. */
  readonly others: () => Promise<readonly MetricFamily[]>;
}

export interface Metrics {
  /** Start of the process, epoch ms. */
  readonly startedAt: number;
  collect(): Promise<readonly MetricFamily[]>;
  stop(): void;
}

/**
 * All metrics. Samples count from the start of the process or of the month (UTC), whichever was later: monitoring systems
 * recognize the reset of a counter, and a scrape never reads more than a month.
 */
export function createMetrics({ store, clock, version, others }: MetricsDeps): Metrics {
  const startedAt = clock();
  const health = watchHealth(store, version, startedAt);
  let cached: { readonly at: number; readonly families: Promise<readonly MetricFamily[]> } | null = null;

  async function ofSamples(now: number): Promise<MetricFamily[]> {
    const range = { from: Math.max(startedAt, monthStart(now)), to: now + AHEAD_MS };
    const rule = await viewerRuleFor(store, { role: 'read', now }, range);
    const query = { range, filters: {}, by: BY };
    const [shown, { cells }] = await Promise.all([
      rule.minGroupSize === 0 ? null : store.samples.read(SHOWN_GROUPS, { ...query, ...rule }),
      store.samples.aggregate(query),
    ]);
    const all = cells.filter(({ key }) => isLive(key.source ?? ''));
    const ended = await removedApps();
    const own = all.filter(({ key }) => !ended(key.target ?? ''));
    const ids = shown === null ? null : new Set(shown.ids);
    const allowed = ids === null ? own : own.filter(({ key }) => ids.has(groupId(BY.map((name) => key[name] ?? null))));
    const { cells: limited, full } = limitCells(allowed.map(cellSeries));
    const dropped = { limit: full, few_browsers: own.length - allowed.length, removed_app: all.length - own.length };
    return [
      gauge(
        'lastbyte_groups_dropped',
        'Groups of app, host, type, scenario and source that are left out.',
        '1',
        Object.entries(dropped).map(([reason, groups]) => [{ reason }, groups]),
      ),
      ...sampleFamilies(limited, range.from),
    ];
  }

  /** Whether an app is in the settings no more, so that its series end; before the first settings there is none. */
  async function removedApps(): Promise<(target: string) => boolean> {
    const { revision, settings } = await currentSettings(store.settings);
    const ids = new Set([...settings.targets.map(({ id }) => id), OVERFLOW_NAME]);
    return (target) => revision > 0 && !ids.has(target);
  }

  async function collect(now: number): Promise<readonly MetricFamily[]> {
    const samples = await ofSamples(now).catch((error: unknown) => {
      // Where samples are on other machines, their outage is when the collector's own metrics are needed.
      if (!(error instanceof StoreError) || !SAMPLES_AWAY.has(error.code)) throw error;
      return null;
    });
    const readable = gauge('lastbyte_samples_readable', '0 while the metrics of samples are missing.', '1', [
      [{}, samples === null ? 0 : 1],
    ]);
    return [...(await health.families(now)), ...(await others()), readable, ...(samples ?? [])];
  }

  return {
    startedAt,
    collect() {
      const now = clock();
      if (cached === null || Math.abs(now - cached.at) >= CACHED_MS) {
        const families = collect(now);
        cached = { at: now, families };
        // A failure is not cached: the next scrape tries again.
        families.catch(() => {
          cached = null;
        });
      }
      return cached.families;
    },
    stop: () => health.stop(),
  };
}

function monthStart(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
