import { generateFleet } from './generate-fleet.ts';
import type { FleetPlan, Truth } from './plan.ts';

/** Those whose time to the last byte counts. */
const COUNTED = ['new', 'reused', 'opaque'];
const DAY_MS = 24 * 3_600_000;

/**
 * What users would save if the cause were not there, ms per request at its place and from its day on: the mean time to the last
 * byte with it less that without it. Both fleets are played, and each page view draws the same numbers in both. Negative for a
 * fix.
 */
export function savedByCure(withCause: FleetPlan, without: FleetPlan, truth: Truth): number {
  return meanTtlb(withCause, truth) - meanTtlb(without, truth);
}

function meanTtlb(plan: FleetPlan, truth: Truth): number {
  let [sum, n] = [0, 0];
  const since = plan.from + (truth.day ?? 0) * DAY_MS;
  for (const { browser, wire } of generateFleet(plan)) {
    if (truth.site !== undefined && truth.site !== wire.site) continue;
    if (truth.browser !== undefined && truth.browser !== browser.number) continue;
    const { columns, dictionaries } = wire;
    const named = (name: 'target' | 'host' | 'template' | 'connection' | 'excluded' | 'source', row: number) =>
      dictionaries[name]?.[columns[name]?.[row] ?? -1];
    let at = 0;
    for (let row = 0; row < wire.n; row++) {
      at += columns.at[row] ?? 0;
      const ttlb = columns.times.ttlb?.[row] ?? null;
      if (ttlb === null || at < since || named('excluded', row) !== undefined || named('source', row) !== 'page')
        continue;
      if (truth.app !== undefined && truth.app !== named('target', row)) continue;
      if (truth.host !== undefined && truth.host !== named('host', row)) continue;
      if (truth.template !== undefined && truth.template !== named('template', row)) continue;
      if (!COUNTED.includes(named('connection', row) ?? '')) continue;
      sum += ttlb / 1000;
      n++;
    }
  }
  return n === 0 ? Number.NaN : sum / n;
}
