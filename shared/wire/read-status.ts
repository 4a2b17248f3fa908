import { SCENARIOS } from '../sample/vocabulary.ts';
import {
  BROWSER_STATES,
  type BrowserStatus,
  type ProbeTurn,
  SKIP_REASONS,
  type TurnScenario,
} from './browser-status.ts';
import { MAX_STATUS_REASONS, MAX_STATUS_TURNS } from './wire-limits.ts';

/** Codes and ids: visible characters only, no markup needs any other. */
const WORD = /^[\x21-\x7e]{1,100}$/;
const ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
const MAX_STEPS = 20;
const MAX_EPOCH_MS = 8.64e15;

type Json = Readonly<Record<string, unknown>>;

/**
 * What a browser says of itself, as far as it can be read. It decides nothing, so whatever is wrong in it is left out and
 * costs no sample: null where it has no known state, else without the parts that can't be read.
 */
export function readStatus(value: unknown): BrowserStatus | null {
  if (!isRecord(value)) return null;
  const state = BROWSER_STATES.find((word) => word === value.state);
  if (state === undefined) return null;
  return {
    state,
    waiting: count(value.waiting) ?? 0,
    dropped: counts(value.dropped),
    rejected: counts(value.rejected),
    lost: counts(value.lost),
    turns: list(value.turns, MAX_STATUS_TURNS).flatMap(readTurn),
  };
}

function readTurn(value: unknown): ProbeTurn[] {
  if (!isRecord(value)) return [];
  const { probe, target, at, skipped } = value;
  if (typeof probe !== 'string' || !ID.test(probe) || typeof target !== 'string' || !ID.test(target)) return [];
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > MAX_EPOCH_MS) return [];
  const why = SKIP_REASONS.find((word) => word === skipped);
  if (skipped !== null && why === undefined) return [];
  return [
    {
      probe,
      target,
      at,
      skipped: why ?? null,
      scenarios: list(value.scenarios, SCENARIOS.length).flatMap(readScenario),
      steps: list(value.steps, MAX_STEPS).map((reason) => word(reason)) as ProbeTurn['steps'],
    },
  ];
}

function readScenario(value: unknown): TurnScenario[] {
  if (!isRecord(value)) return [];
  const scenario = SCENARIOS.find((one) => one === value.scenario);
  const kept = count(value.kept);
  if (scenario === undefined || kept === null) return [];
  return [
    {
      scenario,
      method: word(value.method) as TurnScenario['method'],
      kept,
      discarded: counts(value.discarded),
      unavailable: word(value.unavailable) as TurnScenario['unavailable'],
    },
  ];
}

function counts(value: unknown): Readonly<Record<string, number>> {
  if (!isRecord(value)) return {};
  const known = Object.entries(value).flatMap(([reason, n]): [string, number][] => {
    const whole = count(n);
    return whole === null || whole === 0 || !WORD.test(reason) || reason === '__proto__' ? [] : [[reason, whole]];
  });
  return Object.fromEntries(known.slice(0, MAX_STATUS_REASONS));
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function word(value: unknown): string | null {
  return typeof value === 'string' && WORD.test(value) ? value : null;
}

function list(value: unknown, limit: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, limit) : [];
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
