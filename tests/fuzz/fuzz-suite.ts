import { describe, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { fill } from '../collector/fill-store.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { testApp } from '../collector/test-app.ts';
import { UNLIMITED_CLIENTS } from '../collector/unlimited-clients.ts';
import { PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { type FuzzBudget, type Fuzzer, fuzz, readCorpus } from './fuzz.ts';
import { harFuzzer } from './fuzz-har.ts';
import { collectorToAsk, queryFuzzer } from './fuzz-queries.ts';
import { reportOptionsFuzzer } from './fuzz-report-options.ts';
import { settingsFuzzer } from './fuzz-settings.ts';
import { jsonFuzzer, wireFuzzer } from './fuzz-wire.ts';

/** Each within a test, which ends what it starts. */
const FUZZERS = {
  json: async () => jsonFuzzer,
  wire: async () => wireFuzzer,
  har: async () => harFuzzer,
  // Each document is put in force, faster than any admin.
  settings: async () => settingsFuzzer(await testApp({ clientLimits: UNLIMITED_CLIENTS })),
  queries: async () => {
    const collector = await collectorToAsk(await filledFolder());
    onTestFinished(collector.end);
    return queryFuzzer(collector);
  },
  'report-options': async () => reportOptionsFuzzer(await filledFolder()),
};
type FuzzerName = keyof typeof FUZZERS;

/** Making inputs smaller comes on top of the time to look for them, and a machine may be busy, ms. */
const SHRINKING_MS = 120_000;

/** What was found before comes first, each by itself; then each fuzzer looks for more. */
export function fuzzSuite(budgets: Readonly<Record<FuzzerName, FuzzBudget>>): void {
  for (const name of Object.keys(FUZZERS) as FuzzerName[]) {
    const budget = budgets[name];
    const make = FUZZERS[name] as () => Promise<Fuzzer<unknown>>;
    describe(name, () => {
      test('what was found before does no harm any more', { timeout: SHRINKING_MS }, async () => {
        const fuzzer = await make();
        const harm: string[] = [];
        for (const { why, input } of await readCorpus(fuzzer)) {
          await fuzzer.holds(input).catch((error: unknown) => harm.push(`${why}: ${String(error)}`));
        }
        if (harm.length > 0) throw new Error(harm.join('\n'));
      });
      test('nothing more is found', { timeout: budget.seconds * 1000 + SHRINKING_MS }, async () => {
        await fuzz(await make(), budget);
      });
    });
  }
}

async function filledFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'server' });
  try {
    await fill(
      store,
      Array.from({ length: 50 }, (_, i) => ({ ...PLAIN_SAMPLE, at: PLAIN_SAMPLE.at - i * 3_600_000 })),
    );
    await store.maintenance.rollUp();
  } finally {
    await store.close();
  }
  return folder;
}
