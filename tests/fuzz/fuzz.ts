import { readFile } from 'node:fs/promises';
import fc from 'fast-check';

/** How long a fuzzer may look. Whichever of both ends first ends it. */
export interface FuzzBudget {
  readonly seed: number;
  readonly runs: number;
  readonly seconds: number;
}

/** What is fuzzed, apart from for how long: the same in `npm test` and in `npm run test:nightly`. */
export interface Fuzzer<T> {
  /** Of the corpus too: tests/fixtures/fuzz/NAME.ndjson. */
  readonly name: string;
  readonly arbitrary: fc.Arbitrary<T>;
  /** Throws where an input does harm. */
  readonly holds: (input: T) => Promise<void>;
  /** Inputs as JSON values, so that the corpus can hold them. */
  readonly toCorpus: (input: T) => unknown;
  readonly fromCorpus: (value: never) => T;
}

interface CorpusCase<T> {
  readonly why: string;
  readonly input: T;
}

/** What was found before, in words and as inputs. */
export async function readCorpus<T>({ name, fromCorpus }: Pick<Fuzzer<T>, 'name' | 'fromCorpus'>) {
  const text = await readFile(new URL(`../fixtures/fuzz/${name}.ndjson`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line): CorpusCase<T> => {
    const { why, input } = JSON.parse(line) as { why: string; input: never };
    return { why, input: fromCorpus(input) };
  });
}

/** LASTBYTE_FUZZ_SEED repeats a run that failed; without it each run looks elsewhere. */
export function seedOfThisRun(): number {
  const named = process.env.LASTBYTE_FUZZ_SEED;
  return named === undefined || named === '' ? Math.floor(Math.random() * 2 ** 31) : Number(named);
}

/** Throws with seed, cause and smallest input found, the latter as a line for the corpus. */
export async function fuzz<T>({ name, arbitrary, holds, toCorpus }: Fuzzer<T>, budget: FuzzBudget): Promise<void> {
  const { seed, runs, seconds } = budget;
  const found = await fc.check(fc.asyncProperty(arbitrary, holds), {
    seed,
    numRuns: runs,
    interruptAfterTimeLimit: seconds * 1000,
    markInterruptAsFailure: false,
  });
  console.log(
    `fuzz ${name}: seed ${seed}, ${found.numRuns} runs${found.interrupted ? `, stopped after ${seconds} s` : ''}`,
  );
  if (!found.failed) return;
  const [input] = found.counterexample ?? [];
  const line = input === undefined ? '(none)' : JSON.stringify({ why: 'say what it does', input: toCorpus(input) });
  throw new Error(
    `${name} does not hold. LASTBYTE_FUZZ_SEED=${seed} repeats it (run ${found.numRuns}, ${found.numShrinks} times ` +
      `smaller). Its line for tests/fixtures/fuzz/${name}.ndjson:\n${line}`,
    { cause: found.errorInstance },
  );
}
