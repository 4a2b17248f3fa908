const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The longest range that a step suits. Shorter ones need samples, which short ranges have few of. */
const STEPS = [
  { upTo: HOUR_MS, step: '1m' },
  { upTo: 6 * HOUR_MS, step: '15m' },
  { upTo: 3 * DAY_MS, step: '1h' },
  { upTo: 10 * DAY_MS, step: '6h' },
  { upTo: 200 * DAY_MS, step: '1d' },
] as const;

/** The step of the overview's trend for a range of this length, ms: from an hour on it is answered from rollups. */
export function trendStep(span: number): string {
  return STEPS.find(({ upTo }) => span <= upTo)?.step ?? '7d';
}
