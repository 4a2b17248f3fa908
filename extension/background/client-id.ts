import type { Environment } from './environment.ts';
import type { StateStore } from './local-state.ts';

/**
 * Random and without any tie to a person, so that several samples can be known to come from one browser; changes on
 * the first of the month (UTC), so that nobody can be followed for longer.
 */
export async function clientId(state: StateStore, environment: Environment): Promise<string> {
  const month = new Date(environment.now()).toISOString().slice(0, 7);
  const kept = await state.read('client');
  if (kept?.month === month) return kept.id;
  const id = environment.uuid();
  await state.write('client', { id, month });
  await state.forget('names'); // what was used in another month should not fill this one's limits
  return id;
}
