import { createHash } from 'node:crypto';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { wholeDays } from '../analysis/time/step-bounds.ts';
import type { Reading } from '../storage/passes/reading-source.ts';
import type { Store } from '../storage/store.ts';
import type { QueryContext } from './query-context.ts';
import type { ViewerRule } from './visibility/visibility.ts';

/** Answers of a store: some pages of the dashboard for some people. */
const MAX_ANSWERS = 64;

/** The samples that decide an answer. */
export interface DecidedBy extends ViewerRule {
  /** null for all that are kept of days that are over in the zone. */
  readonly range: TimeRange | null;
  readonly zone: string;
}

/** While it is the same, so are these samples, and which browsers count. */
export const DATA_STATE: Reading<DecidedBy, string> = {
  name: 'dataState',
  takesLong: () => false,
  async read(source, { range, zone, minGroupSize, freshSince = null }) {
    const kept = range === null ? await source.kept() : null;
    const days = wholeDays(kept?.samples ?? kept?.hours ?? { from: 0, to: 0 }, zone);
    const asked = range ?? { from: kept?.from ?? 0, to: days.at(-1) ?? 0 };
    const { dataHash } = await (await source.open(asked, 'sketches')).stored();
    const fresh = minGroupSize > 1 && freshSince !== null ? [...source.fleet.freshBrowsers(freshSince)].sort() : [];
    return createHash('sha256')
      .update(JSON.stringify([dataHash, days, fresh]))
      .digest('base64url');
  },
};

const answers = new WeakMap<Store, Map<string, unknown>>();

/**
 * Reads an answer, or has it from the last time if nothing that decides it has changed since. A range that has only moved on
 * without samples at either end is the same.
 */
export async function rememberAnswer<A>(
  { store, signal, token }: QueryContext,
  name: string,
  plan: unknown,
  decided: DecidedBy,
  read: () => Promise<A>,
): Promise<A> {
  const state = await store.samples.read(DATA_STATE, decided, { signal, token });
  const key = JSON.stringify([name, state, plan], (field, value) => {
    if (value instanceof Map) return [...value];
    if (field === 'freshSince') return undefined;
    return field === 'range' && decided.range !== null ? value.to - value.from : value;
  });
  const known = answers.get(store) ?? new Map<string, unknown>();
  answers.set(store, known);
  const answer = known.has(key) ? (known.get(key) as A) : await read();
  // The one used last comes last.
  known.delete(key);
  known.set(key, answer);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_ANSWERS) break;
    known.delete(oldest);
  }
  return answer;
}
