import type { EvidenceClass } from '../../../shared/sample/evidence.ts';
import { ALERT_RULE_DEFAULTS, DEFAULT_MIN_RUNS, EACH_JOURNEY } from '../../../shared/settings/alert-defaults.ts';
import type { AlertRule } from '../../../shared/settings/alert-settings.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { AnyDimension, Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { isProbe } from '../../../shared/vocabulary/vocabulary.ts';
import type { JourneyResult } from '../../analysis/probes/journey-results.ts';
import { journeyRules } from '../../analysis/probes/journey-rules.ts';
import { JOURNEYS } from '../../questions/journeys.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { probeOutcome } from '../../reductions/probe-outcome.ts';
import type { SampleStore } from '../../storage/store.ts';
import type { Reading } from './alert-state.ts';

const MINUTE_MS = 60_000;
/** An outage is followed back this far. */
const LOOK_BACK_MS = 7 * 24 * 60 * MINUTE_MS;
const RULE_FILTERS = [
  'target',
  'host',
  'type',
  'connection',
  'scenario',
  'site',
  'journey',
] as const satisfies readonly AnyDimension[];
const QUANTILES = { median: 0.5, p95: 0.95 } as const;

/** A rule's watched value over its window before `now`: of users' traffic, of probes' samples, or of journeys' runs. */
export async function readRule(samples: SampleStore, rule: AlertRule, now: number): Promise<Reading> {
  const { minSamples, time, statistic } = { ...ALERT_RULE_DEFAULTS, ...rule };
  const { range, filters } = askedByRule(rule, now);
  if (rule.journey !== undefined) return worstOf(await readJourneys(samples, { range, filters }), rule);
  if (rule.availabilityBelow !== undefined) {
    const { cells } = await samples.aggregate({ range, filters, by: ['source'] });
    return availabilityOf(
      cells.filter(({ key }) => isProbe(key.source ?? '')),
      minSamples,
    );
  }
  const query = { range, filters: { ...filters, source: ['page'] }, by: [], time };
  const [cell] = (await samples.distributions(query)).cells;
  const n = cell?.values.n ?? 0;
  if (cell === undefined || n < minSamples) return { value: null, n };
  return { value: cell.values.valueAtRank(quantileRank(QUANTILES[statistic], n)) / 1000, n };
}

/** The journeys that failed in the rule's window, with the start of their outage; those that are down come first. */
export async function journeysBehind(samples: SampleStore, rule: AlertRule, now: number): Promise<JourneyResult[]> {
  if (rule.journey === undefined) return [];
  const { range, filters } = askedByRule(rule, now);
  const from = Math.min(range.from, now - LOOK_BACK_MS);
  const results = await readJourneys(samples, { range: { from, to: now }, filters });
  return results.filter(({ failed }) => failed !== null && Date.parse(failed.at) >= range.from);
}

function readJourneys(samples: SampleStore, asked: ReturnType<typeof askedByRule>) {
  return samples.read(JOURNEYS, { ...asked, ...journeyRules([]), minGroupSize: 0 });
}

/** The share of runs that were up, where it is lowest: of each journey, at each site if the rule tells them apart. */
function worstOf(results: readonly JourneyResult[], { eachSite, minSamples = DEFAULT_MIN_RUNS }: AlertRule): Reading {
  const groups = new Map<string, { up: number; n: number }>();
  for (const { journey, target, site, up, down } of results) {
    const id = JSON.stringify([journey, target, eachSite === true && site]);
    const group = groups.get(id) ?? { up: 0, n: 0 };
    groups.set(id, { up: group.up + up, n: group.n + up + down });
  }
  const read = [...groups.values()].map(({ up, n }) => ({ value: up / n, n }));
  const [worst] = read.filter(({ n }) => n >= minSamples).sort((a, b) => a.value - b.value);
  return worst ?? { value: null, n: read.reduce((sum, { n }) => sum + n, 0) };
}

/** The host that users of a rule waited for longest in its window, where the rule names none; null without any. */
export async function hostBehind(samples: SampleStore, rule: AlertRule, now: number): Promise<string | null> {
  if (rule.host !== undefined || rule.availabilityBelow !== undefined) return rule.host ?? null;
  const { time } = { ...ALERT_RULE_DEFAULTS, ...rule };
  const { range, filters } = askedByRule(rule, now);
  const { cells } = await samples.aggregate({ range, filters: { ...filters, source: ['page'] }, by: ['host'] });
  const [longest] = [...cells].sort((one, other) => other.times[time].sum - one.times[time].sum);
  return longest?.key.host ?? null;
}

/** The filters of a rule. */
export function ruleFilters(rule: AlertRule): (readonly [name: (typeof RULE_FILTERS)[number], value: string])[] {
  return RULE_FILTERS.flatMap((name) => {
    const value = rule[name];
    return value === undefined || value === EACH_JOURNEY ? [] : [[name, value] as const];
  });
}

function askedByRule(rule: AlertRule, now: number): { readonly range: TimeRange; readonly filters: Filters } {
  const { windowMinutes } = { ...ALERT_RULE_DEFAULTS, ...rule };
  return {
    range: { from: now - windowMinutes * MINUTE_MS, to: now },
    filters: Object.fromEntries(ruleFilters(rule).map(([name, value]) => [name, [value]])),
  };
}

/** The share that is up of the runs that say something about the server. */
function availabilityOf(cells: readonly CellAggregate[], minSamples: number): Reading {
  const counts = { up: 0, down: 0 };
  for (const { usable, excluded } of cells.map(({ evidence }) => evidence)) {
    for (const [evidence, n] of Object.entries({ usable, ...excluded })) {
      const outcome = probeOutcome(evidence as EvidenceClass);
      if (outcome !== null) counts[outcome] += n;
    }
  }
  const n = counts.up + counts.down;
  return { value: n < minSamples ? null : counts.up / n, n };
}
