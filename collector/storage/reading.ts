import type { ReadingSource } from './passes/reading-source.ts';

/**
 * Something computed from samples where they are stored: plain data in, plain data out, so that it can run in a thread. The
 * store knows neither question nor answer. Threads find a reading by its name: each one has to be listed in store-thread.ts.
 */
export interface Reading<Q, A> {
  readonly name: string;
  /** Whether it reads samples however long its range is. Those run beside the quick ones, not in front of them. */
  takesLong(question: Q): boolean;
  read(source: ReadingSource, question: Q): A;
}
