import { BreakageSchema } from '../../../shared/journeys/breakage.ts';
import { compileValidator } from '../../../shared/vocabulary/explain-mismatch.ts';
import { SCENARIOS } from '../../../shared/vocabulary/vocabulary.ts';
import {
  MAX_JOURNEY_STEPS,
  MAX_STATUS_TURNS,
  MAX_TURN_REASONS,
  OVERFLOW_NAME,
} from '../../../shared/vocabulary/wire-limits.ts';
import {
  BROWSER_STATES,
  type BrowserStatus,
  type ProbeRun,
  type RunScenario,
  SKIP_REASONS,
} from '../../../shared/wire/browser-status.ts';
import {
  droppedReason,
  ignoredValue,
  lostReason,
  probeMethod,
  probeReason,
  rejectedReason,
} from '../../../shared/wire/status-words.ts';

const ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
const MAX_EPOCH_MS = 8.64e15;

type Json = Readonly<Record<string, unknown>>;

/**
 * A browser's report about itself, as far as it can be read. It affects no sample, so invalid parts are left out; null
 * without a known state. All strings come from closed lists or are short, which bounds its size.
 */
export function readStatus(value: unknown): BrowserStatus | null {
  if (!isRecord(value)) return null;
  const state = BROWSER_STATES.find((word) => word === value.state);
  if (state === undefined) return null;
  return {
    state,
    waiting: count(value.waiting) ?? 0,
    dropped: counts(value.dropped, droppedReason),
    rejected: counts(value.rejected, rejectedReason),
    lost: counts(value.lost, lostReason),
    ignored: counts(value.ignored, ignoredValue),
    turns: list(value.turns, MAX_STATUS_TURNS).flatMap(readTurn),
  };
}

function readTurn(value: unknown): ProbeRun[] {
  if (!isRecord(value)) return [];
  const { probe, target, at, skipped } = value;
  if (typeof probe !== 'string' || !ID.test(probe) || typeof target !== 'string' || !ID.test(target)) return [];
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > MAX_EPOCH_MS) return [];
  if (skipped !== null && typeof skipped !== 'string') return [];
  const why = skipped === null ? null : (SKIP_REASONS.find((word) => word === skipped) ?? OVERFLOW_NAME);
  const scenarios = list(value.scenarios, SCENARIOS.length).flatMap(readScenario);
  const reasons = list(value.steps, MAX_JOURNEY_STEPS).map((reason) => word(reason, probeReason)) as ProbeRun['steps'];
  const failed = reasons.findIndex((reason) => reason !== null);
  // Nothing comes after a step that failed.
  const steps = failed < 0 ? reasons : reasons.slice(0, failed + 1);
  const times = list(value.stepTimes, MAX_JOURNEY_STEPS).map(count);
  return [
    {
      probe,
      target,
      at,
      skipped: why,
      // A skipped run has no results, and a run with scenarios is not a script's.
      scenarios: why === null ? scenarios : [],
      steps: why === null && scenarios.length === 0 ? steps : [],
      ...(times.length === 0 || times.length !== steps.length ? {} : { stepTimes: times }),
      ...(failed >= 0 && compileValidator(BreakageSchema).Check(value.broke) ? { broke: value.broke } : {}),
    },
  ];
}

function readScenario(value: unknown): RunScenario[] {
  if (!isRecord(value)) return [];
  const scenario = SCENARIOS.find((one) => one === value.scenario);
  const kept = count(value.kept);
  if (scenario === undefined || kept === null) return [];
  return [
    {
      scenario,
      method: word(value.method, probeMethod) as RunScenario['method'],
      kept,
      discarded: counts(value.discarded, probeReason, MAX_TURN_REASONS),
      unavailable: word(value.unavailable, probeReason) as RunScenario['unavailable'],
    },
  ];
}

/** Counts by known words; beyond `limit` the smallest are added up, as are all unknown words. */
function counts(value: unknown, known: (word: string) => string, limit = Infinity): Readonly<Record<string, number>> {
  if (!isRecord(value)) return {};
  const sums = new Map<string, number>();
  const add = (word: string, n: number) => sums.set(word, Math.min(Number.MAX_SAFE_INTEGER, (sums.get(word) ?? 0) + n));
  for (const [reason, n] of Object.entries(value)) {
    const whole = count(n);
    if (whole !== null && whole > 0) add(known(reason), whole);
  }
  const named = [...sums].filter(([word]) => word !== OVERFLOW_NAME).sort(([, a], [, b]) => b - a);
  for (const [word, n] of named.slice(limit)) {
    sums.delete(word);
    add(OVERFLOW_NAME, n);
  }
  return Object.fromEntries(sums);
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** null if absent. */
function word(value: unknown, known: (word: string) => string): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? known(value) : OVERFLOW_NAME;
}

function list(value: unknown, limit: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, limit) : [];
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
