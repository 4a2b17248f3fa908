import type { Answers } from './recorded.ts';

export interface Difference {
  /** Question, then place in its answer; list items are []. */
  readonly path: string;
  readonly recorded: unknown;
  readonly today: unknown;
}

/** Releases run on different versions of Node, whose functions such as Math.pow round the last digit differently. */
const ROUNDING = 1e-12;

/** Where today's answers are not the recorded ones, once for each place. */
export function compareAnswers(recorded: Answers, today: Answers): readonly Difference[] {
  const found = new Map<string, Difference>();
  for (const [question, answer] of Object.entries(recorded)) {
    const [name = ''] = question.split('?');
    // Asked of a release without this route; today's answer has nothing to be compared with.
    if (answer === null && !isRefused(today[question])) continue;
    compare(name, answer, today[question], found);
  }
  return [...found.values()];
}

function compare(path: string, recorded: unknown, today: unknown, found: Map<string, Difference>): void {
  if (Array.isArray(recorded) && Array.isArray(today) && recorded.length === today.length) {
    for (const [index, item] of recorded.entries()) compare(`${path}[]`, item, today[index], found);
  } else if (isRecord(recorded) && isRecord(today)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(today)]))
      compare(`${path}.${name}`, recorded[name], today[name], found);
  } else if (!isSame(recorded, today) && !found.has(path)) found.set(path, { path, recorded, today });
}

function isSame(recorded: unknown, today: unknown): boolean {
  if (typeof recorded !== 'number' || typeof today !== 'number') return recorded === today;
  return Math.abs(recorded - today) <= ROUNDING * Math.abs(recorded);
}

function isRefused(answer: unknown): boolean {
  return isRecord(answer) && typeof answer.status === 'number' && typeof answer.code === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
