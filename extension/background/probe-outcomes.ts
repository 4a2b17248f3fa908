import type { ProbeSettings } from '../../shared/settings/probe-settings.ts';
import type { ProbeRun, ProbeState } from '../probe/probe-schedule.ts';

/** One probe of the settings and its last turn in this browser, as the popup says it. */
export interface ProbeOutcome {
  readonly id: string;
  /** Epoch ms; null where it had no turn here yet. */
  readonly at: number | null;
  readonly result: 'not_yet' | 'skipped' | 'done' | 'partly' | 'failed';
  /** Why it was left out or failed, in the probes' own words; null where there is nothing to say. */
  readonly reason: string | null;
}

/** Nothing while probes are switched off. */
export function probeOutcomes(probes: ProbeSettings | null, state: ProbeState | null): readonly ProbeOutcome[] {
  if (!probes?.enabled) return [];
  return probes.schedule.map(({ id }) => {
    const turn = state && Object.hasOwn(state.last, id) ? state.last[id] : undefined;
    return turn ? { id, at: turn.at, ...resultOf(turn) } : { id, at: null, result: 'not_yet', reason: null };
  });
}

function resultOf(turn: ProbeRun): Pick<ProbeOutcome, 'result' | 'reason'> {
  if (turn.skipped !== null) return { result: 'skipped', reason: turn.skipped };
  const { report } = turn;
  if ('steps' in report) {
    const failed = report.steps.find(({ ok }) => !ok);
    return failed ? { result: 'failed', reason: failed.reason } : { result: 'done', reason: null };
  }
  const kept = report.scenarios.filter((scenario) => scenario.kept > 0);
  const missing = report.scenarios.find((scenario) => scenario.kept === 0);
  if (!missing) return { result: report.stopped === null ? 'done' : 'partly', reason: report.stopped };
  return { result: kept.length > 0 ? 'partly' : 'failed', reason: missing.unavailable ?? firstOf(missing.discarded) };
}

function firstOf(counts: Readonly<Record<string, number>>): string | null {
  return Object.keys(counts)[0] ?? null;
}
