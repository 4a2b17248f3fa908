import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { endOf, fillFleet, toSource } from '../fleets/fill-fleet.ts';
import { namedFleet } from '../fleets/named-fleets.ts';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { IS_SHORT } from '../rounds.ts';
import { type ClickHouseServer, openForwarding, startClickHouse } from './clickhouse-server.ts';
import { askedIn, everyQuestion, questionsNotAsked } from './questions-asked.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type TestApp, testApp } from './test-app.ts';

/** More than are answered one by one, so that ranges of all of them are answered from sums. */
const SAMPLES = 56_000;
const UNTIL = Date.UTC(2026, 5, 1);
const DAY = 24 * 3_600_000;
const HOUR = 3_600_000;
const { plan } = namedFleet('trouble', UNTIL, SAMPLES);
const HOST = plan.hosts[0]?.name ?? '';

const RANGES = {
  'all of it': [UNTIL - 30 * DAY, UNTIL],
  'ragged, from sums': [UNTIL - 29 * DAY + 1234, UNTIL - 5 * HOUR - 4321],
  'few samples, one by one': [UNTIL - 2 * DAY + 7, UNTIL - DAY - 1],
} as const;

test('every question is asked', () => {
  expect(questionsNotAsked(everyQuestion(HOST, ''))).toEqual([]);
});

/** It takes minutes. */
const absent = IS_SHORT ? 'run npm run test:nightly' : chdbAbsent();

describe.skipIf(absent !== null)('the same fleet in both engines', { timeout: 600_000 }, () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server?.stop());

  async function appOver(store: Store): Promise<TestApp> {
    await fillFleet(store, toSource(plan), () => {});
    const app = await testApp({ store });
    app.clock.now = endOf(plan);
    return app;
  }

  async function ask(app: TestApp, question: string, [from, to]: readonly [number, number]) {
    const { statusCode, body } = await app.send({ url: `/api/v1/${askedIn(question, from, to)}`, as: 'admin' });
    return { statusCode, body: body.startsWith('{') ? JSON.parse(body) : body };
  }

  test('every question gets the same answer, to the last digit', async () => {
    const sqlite = await appOver(await openStore({ folder: await temporaryFolder(), as: 'command' }));
    const clickHouse = await appOver(await openForwarding(await temporaryFolder(), server.address('answers')));
    const { body: listed } = await ask(sqlite, 'samples?limit=1', RANGES['few samples, one by one']);
    const differences: string[] = [];
    for (const [inRange, range] of Object.entries(RANGES)) {
      for (const question of everyQuestion(HOST, listed.samples[0].id)) {
        const [expected, found] = [await ask(sqlite, question, range), await ask(clickHouse, question, range)];
        if (expected.statusCode !== 200) differences.push(`${inRange}, ${question}: ${JSON.stringify(expected)}`);
        differences.push(...differencesOf(expected, found).map((one) => `${inRange}, ${question}: ${one}`));
      }
    }
    expect([...differences, ...clickHouse.log.slice(0, 3)]).toEqual([]);
  });
});

/** Fractions add up to another last digit in another order, and samples have no order of their own. */
const ROUNDING = 1e-11;

function isRounding(expected: unknown, found: unknown): boolean {
  if (typeof expected !== 'number' || typeof found !== 'number') return false;
  return !Number.isInteger(expected) && Math.abs(expected - found) <= Math.abs(expected) * ROUNDING;
}

/** The first places where two documents differ: the whole documents have a hundred thousand lines. */
function differencesOf(expected: unknown, found: unknown, path = ''): string[] {
  if (Object.is(expected, found) || isRounding(expected, found)) return [];
  const [one, other] = [expected, found].map((value) => (typeof value === 'object' && value !== null ? value : null));
  if (one === null || other === null) return [`${path} ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`];
  const names = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...names]
    .flatMap((name) => differencesOf((one as never)[name], (other as never)[name], `${path}/${name}`))
    .slice(0, 3);
}
