import { hasCredentials, parseHttpUrl } from '../redact/http-url.ts';
import { findTarget } from '../redact/match-pattern.ts';
import type { DocumentProblem } from '../vocabulary/document-problem.ts';
import { compileValidator, explainMismatch } from '../vocabulary/explain-mismatch.ts';
import { MAX_JOURNEY_STEPS } from '../vocabulary/wire-limits.ts';
import { type Recording, RecordingHead, STEP_SCHEMAS, type Step, type StepType } from './recording.ts';
import { withoutValue } from './variables.ts';

/** `step` counts from 1; null where the recording itself is meant. */
export interface RecordingProblem extends DocumentProblem {
  readonly step: number | null;
}

export type RecordingVerdict =
  | { readonly ok: true; readonly recording: Recording }
  | { readonly ok: false; readonly problems: readonly RecordingProblem[] };

/** A recording with more problems than this needs to be made again. */
const MAX_PROBLEMS = 20;
const MANUAL = 'docs/journeys.md';

/** Steps of the format that never run, and why. */
const REFUSED: Readonly<Record<string, Omit<DocumentProblem, 'path'>>> = {
  waitForExpression: {
    message: 'waitForExpression runs code in the page, which a recording may not do',
    hint: 'Replace it by waitForElement with the element that appears then.',
    code: 'runs_code',
  },
  customStep: {
    message: 'customStep is code of another tool, which a recording may not run',
    hint: 'Delete it, or replace it by the clicks and keys that do the same.',
    code: 'runs_code',
  },
  emulateNetworkConditions: {
    message: 'emulateNetworkConditions changes the network that is to be measured',
    hint: 'Delete the step, or record again without throttling.',
    code: 'changes_network',
  },
  close: {
    message: 'close ends a tab, and a run ends its own browser',
    hint: 'Delete the step.',
    code: 'closes_tab',
  },
};

/**
 * Reads any JSON value as a recording. Every problem is named, up to twenty. Only addresses that one of `patterns` matches may be
 * opened; null allows each http and https address. A value beside `lastbyte.variable` is not kept: it may be a secret.
 */
export function readRecording(document: unknown, patterns: readonly string[] | null): RecordingVerdict {
  const problems: RecordingProblem[] = [];
  for (const problem of problemsOf(document, patterns)) {
    if (problems.push(problem) === MAX_PROBLEMS) break;
  }
  if (problems.length > 0) return { ok: false, problems };
  const recording = document as Recording;
  return { ok: true, recording: { ...recording, steps: recording.steps.map(withoutValue) } };
}

function* problemsOf(document: unknown, patterns: readonly string[] | null): Generator<RecordingProblem> {
  if (!compileValidator(RecordingHead).Check(document)) {
    for (const problem of explainMismatch(RecordingHead, document, '', MANUAL)) yield { ...problem, step: null };
    return;
  }
  const { steps } = document;
  if (steps.length > MAX_JOURNEY_STEPS) {
    yield {
      path: '/steps',
      message: `${steps.length} steps are more than the ${MAX_JOURNEY_STEPS} of a journey`,
      hint: 'Record the part that matters, or several journeys.',
      code: 'too_many_steps',
      values: { steps: String(steps.length), limit: String(MAX_JOURNEY_STEPS) },
      step: null,
    };
    return;
  }
  for (const [index, step] of steps.entries()) {
    for (const problem of stepProblems(step, `/steps/${index}`, patterns)) yield { ...problem, step: index + 1 };
  }
  if (!steps.some((step) => (step as Step | null)?.type === 'navigate')) {
    yield {
      path: '/steps',
      message: 'no step opens a page',
      hint: 'Add a navigate step with the address at which the journey begins.',
      code: 'no_navigation',
      step: null,
    };
  }
}

function* stepProblems(step: unknown, path: string, patterns: readonly string[] | null): Generator<DocumentProblem> {
  const type = typeof step === 'object' && step !== null && 'type' in step ? step.type : undefined;
  if (typeof type !== 'string' || !Object.hasOwn(STEP_SCHEMAS, type)) {
    yield { path: `${path}/type`, ...refusal(type) };
    return;
  }
  const schema = STEP_SCHEMAS[type as StepType];
  if (!compileValidator(schema).Check(step)) {
    yield* isWithoutSelectors(step as object) && 'selectors' in schema.properties
      ? [noSelectors(path)]
      : explainMismatch(schema, step, path, MANUAL);
    return;
  }
  if (step.type !== 'navigate') return;
  const fault = addressFault(step.url, patterns);
  if (fault !== null) yield { path: `${path}/url`, ...fault };
}

function refusal(type: unknown): Omit<DocumentProblem, 'path'> {
  if (typeof type === 'string' && Object.hasOwn(REFUSED, type)) return REFUSED[type] as Omit<DocumentProblem, 'path'>;
  const known = Object.keys(STEP_SCHEMAS).join(', ');
  if (typeof type !== 'string') {
    return { message: 'has no type', hint: `The type is one of ${known}.`, code: 'no_type' };
  }
  const name = type.slice(0, 40);
  return {
    message: `unknown step ${name}`,
    hint: `Delete it, or record it again; the steps that run are ${known}.`,
    code: 'unknown_step',
    values: { type: name },
  };
}

function isWithoutSelectors(step: object): boolean {
  return !('selectors' in step) || (Array.isArray(step.selectors) && step.selectors.length === 0);
}

function noSelectors(path: string): DocumentProblem {
  return {
    path: `${path}/selectors`,
    message: 'has no selector',
    hint: 'Record the step again with at least one kind of selector switched on, or write one: ["#save"].',
    code: 'no_selectors',
  };
}

function addressFault(url: string, patterns: readonly string[] | null): Omit<DocumentProblem, 'path'> | null {
  if (parseHttpUrl(url) === null) {
    const scheme = (/^\s*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1] ?? '').toLowerCase();
    return {
      message: scheme === '' ? 'is not an address' : `is a ${scheme}: address, which is not opened`,
      hint: 'Only http and https pages are opened: https://erp.example.com/. A new tab of the recording can be deleted.',
      code: 'not_web_address',
      values: { scheme },
    };
  }
  if (hasCredentials(url)) {
    return {
      message: 'the address names a user',
      hint: 'Remove the part before the @; a recording has no secrets in it.',
      code: 'names_user',
    };
  }
  if (patterns === null || findTarget(url, [{ match: patterns }]) !== null) return null;
  const { origin = '' } = parseHttpUrl(url) ?? {};
  return {
    message: `${origin} is outside the apps that may be opened`,
    hint: `Add ${origin}/* to the app's match patterns, or record the journey on one of ${patterns.slice(0, 5).join(', ')}.`,
    code: 'outside_targets',
    values: { origin },
  };
}
