import type { EvidenceClass } from '../../../shared/sample/evidence.ts';
import { ALERT_RULE_DEFAULTS } from '../../../shared/settings/alert-defaults.ts';
import type { AlertRule } from '../../../shared/settings/alert-settings.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { Dimension, Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { isProbe } from '../../../shared/vocabulary/vocabulary.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { probeOutcome } from '../../reductions/probe-outcome.ts';
import type { SampleStore } from '../../storage/store.ts';
import type { Reading } from './alert-state.ts';

const MINUTE_MS = 60_000;
/** What a rule may be limited to. */
export const RULE_FILTERS = [
  'target',
  'host',
  'type',
  'connection',
  'scenario',
  'site',
] as const satisfies readonly Dimension[];
const QUANTILES = { median: 0.5, p95: 0.95 } as const;

/** A rule's watched value over its window before `now`: of users' traffic, or of probes for availability. */
export async function readRule(samples: SampleStore, rule: AlertRule, now: number): Promise<Reading> {
  const { minSamples, time, statistic } = { ...ALERT_RULE_DEFAULTS, ...rule };
  const { range, filters } = askedByRule(rule, now);
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

/** The host that users of a rule waited for longest in its window, where the rule names none; null without any. */
export async function hostBehind(samples: SampleStore, rule: AlertRule, now: number): Promise<string | null> {
  if (rule.host !== undefined || rule.availabilityBelow !== undefined) return rule.host ?? null;
  const { time } = { ...ALERT_RULE_DEFAULTS, ...rule };
  const { range, filters } = askedByRule(rule, now);
  const { cells } = await samples.aggregate({ range, filters: { ...filters, source: ['page'] }, by: ['host'] });
  const [longest] = [...cells].sort((one, other) => other.times[time].sum - one.times[time].sum);
  return longest?.key.host ?? null;
}

function askedByRule(rule: AlertRule, now: number): { readonly range: TimeRange; readonly filters: Filters } {
  const { windowMinutes } = { ...ALERT_RULE_DEFAULTS, ...rule };
  return {
    range: { from: now - windowMinutes * MINUTE_MS, to: now },
    filters: Object.fromEntries(
      RULE_FILTERS.flatMap((name) => (rule[name] === undefined ? [] : [[name, [rule[name]]]])),
    ),
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
