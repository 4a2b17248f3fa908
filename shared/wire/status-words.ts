import { BREAK_REASONS } from '../vocabulary/break-reasons.ts';
import { BROWSER_ERRORS } from '../vocabulary/browser-errors.ts';
import type { ProbeMethod, StepReason, UnavailableReason } from '../vocabulary/probe-words.ts';
import { OVERFLOW_NAME } from '../vocabulary/wire-limits.ts';
import { DROPPED_BATCH_CODES, IGNORED_VALUES, ROW_CODES } from './wire-codes.ts';

/**
 * The closed value lists of a status. A value from a later extension is counted as `(other)`, so that only its name is lost,
 * and no client can make a collector keep invented values. Adding a value is a compatible change.
 */
export type OtherWord = typeof OVERFLOW_NAME;

/** Why entries never became samples. */
export const LOST_REASONS = ['not_http', 'unfinished', 'seen_in_its_frame', 'no_time', 'flood', 'malformed'] as const;

/** Why rows never left the browser: the queue was full, or the code with which the collector refused their batch. */
export const DROPPED_REASONS = ['full', ...DROPPED_BATCH_CODES] as const;

export const PROBE_METHODS = [
  'keep_alive',
  'close_header',
  'credentialless_frame',
  'fresh_subdomain',
  'idle_wait',
] as const satisfies readonly ProbeMethod[];

/** Why a request, a scenario or a step of a probe failed, besides `status_100` to `status_599` and `error:<code>`. */
export const PROBE_REASONS = [
  'timeout',
  'no_entry',
  'https_upgrade',
  'redirected',
  'cache',
  'opaque',
  'worker',
  'invalid',
  'below_clock_step',
  'not_new',
  'not_reused',
  'size_changed',
  'no_method_for_protocol',
  'no_permission',
  'unexpected_status',
  'text_missing',
  ...BREAK_REASONS,
] as const satisfies readonly (UnavailableReason | StepReason)[];

const STATUS = /^status_[1-5]\d\d$/;
const ERROR = 'error:';
const OTHER_ERROR = 'error:other';

const wordsOf = (words: readonly string[]) => {
  const known = new Set(words);
  return (word: string): string => (known.has(word) ? word : OVERFLOW_NAME);
};

export const lostReason = wordsOf(LOST_REASONS);
export const droppedReason = wordsOf(DROPPED_REASONS);
export const rejectedReason = wordsOf(ROW_CODES);
export const ignoredValue = wordsOf(IGNORED_VALUES);
export const probeMethod = wordsOf(PROBE_METHODS) as (word: string) => ProbeMethod | OtherWord;

const knownReason = wordsOf([...PROBE_REASONS, ...BROWSER_ERRORS.map((code) => ERROR + code)]);

export function probeReason(word: string): string {
  if (STATUS.test(word)) return word;
  const known = knownReason(word);
  return known === OVERFLOW_NAME && word.startsWith(ERROR) ? OTHER_ERROR : known;
}
