import type { Environment } from './environment.ts';
import type { LocalStore } from './local-state.ts';

/**
 * A random id with no tie to a person, so that samples of one browser can be recognised; it changes on the first of the
 * month (UTC), so that no one can be tracked for longer.
 */
export async function clientId(state: LocalStore, environment: Environment): Promise<string> {
  const month = new Date(environment.now()).toISOString().slice(0, 7);
  const kept = await state.read('client');
  if (kept?.month === month) return kept.id;
  const id = environment.uuid();
  await state.write('client', { id, month });
  await state.forget('names'); // last month's names must not use up this month's limits
  return id;
}
