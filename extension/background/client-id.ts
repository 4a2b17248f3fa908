import type { StateStore } from './local-state.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Random and without any tie to a person, so that several samples can be known to come from one browser; changes on
 * the first of the month (UTC), so that nobody can be followed for longer.
 */
export async function clientId(state: StateStore, outside: Surroundings): Promise<string> {
  const month = new Date(outside.now()).toISOString().slice(0, 7);
  const kept = await state.read('client');
  if (kept?.month === month) return kept.id;
  const id = outside.uuid();
  await state.write('client', { id, month });
  await state.forget('names'); // what was used in another month should not fill this one's limits
  return id;
}
