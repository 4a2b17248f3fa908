import { setFlagsFromString } from 'node:v8';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../collector/http/server.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';

/** Each fills V8's young generation several times over. */
const TRIES = 8;
const MADE = 1_500_000;

/** Whether V8 makes lists old from birth where earlier ones have all survived; when it decides that, is its own affair. */
function pretenures(): boolean {
  setFlagsFromString('--allow-natives-syntax');
  const isYoung = new Function('value', 'return %InYoungGeneration(value)') as (value: unknown) => boolean;
  setFlagsFromString('--no-allow-natives-syntax');
  // It decides for each place in a program: a new one, which no test before has been at.
  const make = new Function('a', 'b', 'return [a, b]') as (a: unknown, b: unknown) => unknown;
  for (let tried = 0; tried < TRIES; tried++) {
    const kept: unknown[] = [];
    for (let made = 0; made < MADE; made++) kept.push(make(made, kept));
    if (!isYoung(make(kept, kept))) return true;
  }
  return false;
}

test('what a server makes is young, even where all that was made before has survived', async () => {
  expect(pretenures()).toBe(true);
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  onTestFinished(() => store.close());
  const deps = { store, clock: Date.now, version: '9.9.9', dashboardFolder: null, loopbackOnly: true };
  const listen = { host: '127.0.0.1', port: 0 };
  const server = await startServer({ ...deps, trustProxy: false, tls: null, log: null }, listen);
  onTestFinished(() => server.close());
  expect(pretenures()).toBe(false);
});
