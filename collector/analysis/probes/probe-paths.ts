import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { SCENARIOS, SCRIPT_SOURCE, type Scenario } from '../../../shared/vocabulary/vocabulary.ts';
import { type BrowserCount, calendarMonth, largestMonth } from '../../reductions/browser-count.ts';
import { ENGLISH, type Texts } from '../text/english.ts';
import { overheadSentence } from './overhead-sentence.ts';
import type { PathScenario, PathUsers, ProbePath, SequenceRun, UsersOfScenario } from './probe-results.ts';
import { sequenceRatios } from './sequence-ratios.ts';

/** Total runs behind the intervals of one answer; this many take about a second. */
const MAX_RUNS = 40_000;
const MIN_RUNS_PER_SIDE = 300;
/** Per path: three ratios with two sides each. */
const SIDES = 6;

interface Place {
  readonly target: string;
  readonly site: string | null;
  readonly host: string;
}

/**
 * For each path, what probes measured, why the rest is missing, and what users experienced. Probes and users are
 * compared, never combined.
 *
 * @param samples of probes; others are ignored
 */
export function probePaths(
  samples: readonly StoredSample[],
  users: readonly UsersOfScenario[],
  sequences: readonly SequenceRun[],
  texts: Pick<Texts, 'overhead'> = ENGLISH,
): ProbePath[] {
  const paths = new Map<string, { place: Place; runs: StoredSample[]; sequences: SequenceRun[] }>();
  const pathOf = ({ target, site, host }: Place) => {
    const id = idOf({ target, site, host });
    const path = paths.get(id) ?? { place: { target, site, host }, runs: [], sequences: [] };
    paths.set(id, path);
    return path;
  };
  for (const sample of samples) {
    if (!sample.source.startsWith('probe-') || sample.source === SCRIPT_SOURCE) continue;
    const { target, host, origin } = sample;
    pathOf({ target, host, site: origin.site || null }).runs.push(sample);
  }
  for (const sequence of sequences) pathOf({ ...sequence, site: sequence.site || null }).sequences.push(sequence);
  const usersOn = new Map<string, UsersOfScenario[]>();
  for (const one of users) {
    const id = idOf(one);
    const own = usersOn.get(id);
    if (own === undefined) usersOn.set(id, [one]);
    else own.push(one);
  }
  const maxRuns = Math.max(MIN_RUNS_PER_SIDE, Math.floor(MAX_RUNS / SIDES / Math.max(1, paths.size)));
  return [...paths]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { place, runs, sequences: own }]) => {
      return { ...place, ...pathResults(runs, usersOn.get(id) ?? [], own, maxRuns, texts) };
    });
}

function idOf({ target, site, host }: Place): string {
  return JSON.stringify([target, host, site]);
}

function pathResults(
  samples: readonly StoredSample[],
  userCells: readonly UsersOfScenario[],
  sequences: readonly SequenceRun[],
  maxRuns: number,
  texts: Pick<Texts, 'overhead'>,
): Omit<ProbePath, keyof Place> {
  const runs = samples.filter((sample) => toEvidenceClass(sample) !== 'warmup');
  const kept = runs.filter((sample) => toEvidenceClass(sample) === 'usable');
  const clockStep = kept.reduce((step, { origin }) => Math.max(step, origin.clockStep), 0);
  const ratios = sequenceRatios(kept, { browserOf: ({ origin }) => origin.client, maxRuns });
  const users = usersOf(userCells);
  return {
    scenarios: SCENARIOS.map((scenario) => scenarioOf(scenario, runs, userCells, sequences)).filter(
      ({ runs: n, discarded, unavailable, users: times }) =>
        n > 0 || times !== null || Object.keys({ ...discarded, ...unavailable }).length > 0,
    ),
    ratios,
    users,
    sentence: overheadSentence({ ratios, clockStepMs: clockStep / 1000, reuse: users.reuse }, texts),
  };
}

function browsersOf(runs: readonly StoredSample[]): BrowserCount {
  const months = new Map<string, number>();
  for (const { origin, at } of runs) {
    const month = calendarMonth(at);
    if (month > (months.get(origin.client) ?? -1)) months.set(origin.client, month);
  }
  return largestMonth(months.values());
}

function scenarioOf(
  scenario: Scenario,
  all: readonly StoredSample[],
  userCells: readonly UsersOfScenario[],
  sequences: readonly SequenceRun[],
): PathScenario {
  const runs = all.filter(({ source }) => source === `probe-${scenario}`);
  const kept = runs.filter((sample) => toEvidenceClass(sample) === 'usable');
  const reported = sequences.flatMap((sequence) => sequence.scenarios.filter((one) => one.scenario === scenario));
  const clockStep = kept.reduce((step, { origin }) => Math.max(step, origin.clockStep), 0);
  const times = kept.flatMap(({ times: { ttlb } }) => (ttlb === null ? [] : [ttlb]));
  const unavailable = new Map<string, number>();
  for (const { unavailable: reason } of reported) if (reason !== null) add(unavailable, reason, 1);
  return {
    scenario,
    methods: [...new Set(reported.flatMap(({ method }) => method ?? []))].sort(),
    runs: runs.length,
    kept: kept.length,
    ...browsersOf(runs),
    discarded: discardedOf(
      runs,
      reported.map(({ discarded }) => discarded),
    ),
    unavailable: Object.fromEntries(unavailable),
    probes: timeStatistics(exactDistribution(times), clockStep),
    users: userCells.find((one) => one.scenario === scenario)?.ttlb ?? null,
  };
}

/**
 * Browsers report why each run was discarded; samples only have an evidence class. If fewer runs were reported than
 * sent (an older extension, a browser that was offline for a long time), the rest is counted by class.
 */
function discardedOf(
  runs: readonly StoredSample[],
  reported: readonly Readonly<Record<string, number>>[],
): Record<string, number> {
  const reasons = new Map<string, number>();
  for (const counts of reported) for (const [reason, count] of Object.entries(counts)) add(reasons, reason, count);
  let known = [...reasons.values()].reduce((sum, count) => sum + count, 0);
  for (const run of runs) {
    const evidence = toEvidenceClass(run);
    if (evidence === 'usable') continue;
    if (known > 0) known--;
    else {
      const reason = evidence === 'status' && run.status !== null ? `status_${run.status}` : evidence;
      add(reasons, reason, 1);
    }
  }
  return Object.fromEntries(reasons);
}

/** A Map, because a browser may call its reason `constructor`. */
function add(counts: Map<string, number>, reason: string, count: number): void {
  counts.set(reason, (counts.get(reason) ?? 0) + count);
}

function usersOf(userCells: readonly UsersOfScenario[]): PathUsers {
  const reused = userCells.reduce((sum, one) => sum + one.reused, 0);
  const requests = userCells.reduce((sum, one) => sum + one.fresh, reused);
  // The cost of HTTPS is weighted by the use of HTTPS, not of plain HTTP.
  const https = userCells.filter(({ scenario }) => scenario?.startsWith('https'));
  const of = https.length > 0 ? https : userCells;
  const all = of.reduce((sum, one) => sum + one.fresh + one.reused, 0);
  return { requests, reuse: all === 0 ? null : of.reduce((sum, one) => sum + one.reused, 0) / all };
}
