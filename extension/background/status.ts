import type { ExtensionProbes, ScheduledProbe } from '../../shared/settings/probe-settings.ts';
import type { ExtensionSettings, Target, TypicalTime } from '../../shared/settings/settings-schema.ts';
import { needsNetwork, ownProbes, targetPermissions } from '../../shared/settings/target-permissions.ts';
import { NETWORK_PERMISSIONS } from '../network-permissions.ts';
import type { ProbeRun, ProbeState } from '../probe/probe-schedule.ts';
import type { CaptureState } from './capture-registration.ts';
import type { DeclaredBy } from './declared.ts';
import type { DeliveryState } from './delivery.ts';
import type { Enrolment } from './enrolment.ts';
import type { Pause } from './pause.ts';
import { type OwnMedian, TYPICAL_TYPES } from './sent-log.ts';
import type { PollOutcome } from './settings-poll.ts';

/** Failures in a row that call for attention: about ten minutes without the collector. */
const MANY_FAILURES = 8;

/** What the popup and the options page show; answers `StatusRequest`. */
export interface Status {
  /** Why nothing is collected, or `collecting`. `degraded`: the user has not allowed all targets. */
  readonly state: 'not_enrolled' | 'paused' | 'no_settings' | 'key_refused' | 'no_targets' | 'degraded' | 'collecting';
  /** Never the key. */
  readonly collector: string | null;
  readonly enrolledBy: Enrolment['source'] | null;
  readonly site: string;
  readonly targets: readonly TargetStatus[];
  readonly paused: Pause | null;
  /** False if the organisation forbids an indefinite pause. */
  readonly mayPauseForGood: boolean;
  readonly declared: { readonly recorder: DeclaredBy; readonly robot: DeclaredBy };
  readonly capture: CaptureState;
  /** The random id of this month's samples; null before the first. It is needed to have them erased. */
  readonly client: string | null;
  readonly waiting: number;
  readonly delivery: DeliveryState;
  readonly poll: PollOutcome | null;
  readonly lost: Readonly<Record<string, number>>;
  /** Samples whose names were folded because an app had too many. */
  readonly folded: number;
  readonly times: readonly ComparedTime[];
  readonly probes: readonly ProbeOutcome[];
}

export interface TargetStatus {
  readonly id: string;
  readonly name: string;
  readonly match: readonly string[];
  readonly unlockTimings: readonly string[];
  /** Patterns and permission names that the user has not allowed. */
  readonly missing: readonly string[];
  /** Granted, but without effect until the browser restarts. */
  readonly afterRestart: boolean;
}

/** How long this user waits compared with all users; ms over the last day, null if too little is known. */
export interface ComparedTime {
  readonly target: string;
  readonly type: string;
  readonly own: { readonly median: number; readonly n: number } | null;
  readonly all: { readonly median: number; readonly browsers: number } | null;
}

/** One probe of the settings and its last run in this browser, as the popup shows it. */
export interface ProbeOutcome {
  readonly id: string;
  readonly isJourney: boolean;
  /** Epoch ms; null if it has not run here yet. */
  readonly at: number | null;
  readonly result: 'not_yet' | 'skipped' | 'done' | 'partly' | 'failed';
  /** Why it was skipped or failed, as a code; null if there is nothing to explain. */
  readonly reason: string | null;
}

export function toState(
  facts: Pick<Status, 'poll' | 'capture'> & {
    readonly targets: readonly unknown[];
    readonly paused: boolean;
    readonly enrolled: boolean;
    readonly settings: boolean;
    readonly refused: boolean;
  },
): Status['state'] {
  if (!facts.enrolled) return 'not_enrolled';
  if (facts.paused) return 'paused';
  if (facts.refused || facts.poll === 'refused') return 'key_refused';
  if (!facts.settings) return 'no_settings';
  if (facts.targets.length === 0) return 'no_targets';
  return facts.capture.missing.length > 0 ? 'degraded' : 'collecting';
}

/** Whether the user or an administrator must act. A pause is deliberate; settings missing without error will come. */
export function needsAttention({ state, delivery, poll }: Pick<Status, 'state' | 'delivery' | 'poll'>): boolean {
  switch (state) {
    case 'not_enrolled':
    case 'key_refused':
    case 'degraded':
      return true;
    case 'no_settings':
      return poll !== null && poll !== 'ok';
    case 'paused':
      return false;
    default:
      return delivery.failures >= MANY_FAILURES;
  }
}

/** The targets of the settings, and what each still lacks. */
export function targetStatuses(
  settings: ExtensionSettings | null,
  capture: CaptureState,
  isRobot: boolean,
): readonly TargetStatus[] {
  const isMissing = new Set(capture.missing);
  return (settings?.targets ?? []).map((target) => ({
    id: target.id,
    name: target.name,
    match: target.match,
    unlockTimings: target.unlockTimings ?? [],
    ...missingOf(
      neededBy(target, ownProbes(settings, isRobot)).filter((needed) => isMissing.has(needed)),
      capture,
    ),
  }));
}

/** What can still be requested, and whether something granted has yet to take effect. */
function missingOf(
  names: readonly string[],
  { afterRestart }: CaptureState,
): Pick<TargetStatus, 'missing' | 'afterRestart'> {
  const isNetwork = (name: string) => NETWORK_PERMISSIONS.some((each) => each === name);
  return {
    missing: afterRestart ? names.filter((name) => !isNetwork(name)) : names,
    afterRestart: afterRestart && names.some(isNetwork),
  };
}

/** Patterns and permission names. */
function neededBy(target: Target, probes: readonly ScheduledProbe[]): readonly string[] {
  const network = needsNetwork(
    [target],
    probes.filter((probe) => probe.target === target.id),
  );
  return [...targetPermissions(target), ...(network ? NETWORK_PERMISSIONS : [])];
}

/** The user's own medians next to those of all users, app by app; types without data are omitted. */
export function compareTimes(
  targets: readonly Pick<Target, 'id'>[],
  medians: readonly OwnMedian[],
  typical: readonly TypicalTime[],
): readonly ComparedTime[] {
  return targets.flatMap(({ id }) =>
    TYPICAL_TYPES.flatMap((type): ComparedTime[] => {
      const own = medians.find((each) => each.target === id && each.type === type);
      const all = typical.find((each) => each.target === id && each.type === type);
      if (!own && !all) return [];
      return [
        {
          target: id,
          type,
          own: own ? { median: own.median, n: own.n } : null,
          all: all ? { median: all.medianMs, browsers: all.browsers } : null,
        },
      ];
    }),
  );
}

/** Empty while probes are switched off. */
export function probeOutcomes(probes: ExtensionProbes | null, state: ProbeState | null): readonly ProbeOutcome[] {
  if (!probes?.enabled) return [];
  return [...probes.schedule, ...(probes.journeys ?? [])].map(({ id, recording }) => {
    const run = state && Object.hasOwn(state.last, id) ? state.last[id] : undefined;
    const isJourney = recording !== undefined;
    return run
      ? { id, isJourney, at: run.at, ...resultOf(run) }
      : { id, isJourney, at: null, result: 'not_yet', reason: null };
  });
}

function resultOf(run: ProbeRun): Pick<ProbeOutcome, 'result' | 'reason'> {
  if (run.skipped !== null) return { result: 'skipped', reason: run.skipped };
  const { report } = run;
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
