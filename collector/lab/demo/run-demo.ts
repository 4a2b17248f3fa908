import { setTimeout as sleep } from 'node:timers/promises';
import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { CommandFailure } from '../../lib/failure.ts';
import type { BrowserTab } from '../browser/browser-session.ts';
import { DEMO_APPS, demoTargets } from './demo-apps.ts';
import type { DemoCollector } from './demo-collector.ts';

/** Time that a user reads between two rounds, ms. */
const PAUSE_MS = 3_000;
/** At least 15 usable documents for a median: the first one or two of a connection may not be usable. */
const VIEWS_PER_ROUND = 16;
/** On every fourth page view the user also presses a button. */
const VIEWS_PER_CLICK = 4;
/** Consecutive numbers in paths show how templates fold them. */
const FIRST_ORDER = 4711;
/** Interval between reads of the summary, ms. */
const POLL_MS = 250;
/** Time (ms) without a new sample after which none will come, much longer than the delivery interval. */
const SILENCE_MS = 15_000;
/** The document itself, and its resources. */
const COUNT_ENTRIES = "1 + performance.getEntriesByType('resource').length";

export interface DemoRun {
  readonly tab: BrowserTab;
  readonly collector: DemoCollector;
  readonly origins: Readonly<Record<string, string>>;
  readonly once: boolean;
  /** Time after which no round starts, epoch ms; null continues until `stopped` aborts. The first round always runs. */
  readonly until: number | null;
  readonly stopped: AbortSignal;
  readonly now: () => number;
  readonly say: (...lines: readonly string[]) => void;
}

/**
 * Browses in rounds, each ending when all its samples have arrived. Resolves with a summary of all rounds by host and
 * type; null if it was stopped before the first round was complete.
 */
export async function runDemo(run: DemoRun): Promise<SummaryDocument | null> {
  const from = run.now();
  let expected = 0;
  let summary: SummaryDocument | null = null;
  for (let round = 1; !run.stopped.aborted; round++) {
    try {
      expected += await browseApps(run);
    } catch (error) {
      if (error instanceof Aborted) break;
      throw error;
    }
    await waitForSamples(run, from, expected);
    if (run.stopped.aborted) break;
    summary = await readSummary(run, from);
    run.say(`Round ${round} is complete: ${sampleCount(summary)} requests measured.`);
    if (run.once) break;
    await pause(run);
    if (run.until !== null && run.now() >= run.until) break;
  }
  if (summary === null) return null;
  return { ...summary, method: { ...summary.method, demo: { targets: demoTargets() } } };
}

/**
 * One round through all target apps as a user would browse them: page after page in one tab, occasionally clicking a
 * button. Waits for each page to report that it is done. Resolves with the number of the browser's timing entries,
 * which is the number of samples to expect. Throws Aborted.
 */
async function browseApps({ tab, origins, stopped }: DemoRun): Promise<number> {
  const evaluate = (expression: string) => untilAborted(tab.evaluate(expression), stopped);
  let entries = 0;
  for (const app of DEMO_APPS) {
    if (app.target === null) continue;
    for (let view = 0; view < VIEWS_PER_ROUND; view++) {
      await untilAborted(tab.goto(`${origins[app.host]}/orders/${FIRST_ORDER + view}`), stopped);
      await evaluate('window.demo');
      if (view % VIEWS_PER_CLICK === VIEWS_PER_CLICK - 1) {
        await untilAborted(tab.click('#refresh'), stopped);
        await evaluate('window.demo');
      }
      entries += Number(await evaluate(COUNT_ENTRIES));
    }
  }
  return entries;
}

/** Thrown by `untilAborted`; never shown. */
class Aborted extends Error {}

/**
 * Settles as `work` does, or throws Aborted as soon as the signal aborts. A driver's promise may stay pending forever
 * if its browser is closed in the meantime.
 */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw new Aborted();
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(new Aborted());
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Resolves once all samples have arrived, or at the signal. Throws a CommandFailure if they stop arriving. */
async function waitForSamples(run: DemoRun, from: number, expected: number): Promise<void> {
  const { now, stopped } = run;
  let seen = -1;
  let changedAt = now();
  while (!stopped.aborted) {
    const samples = sampleCount(await readSummary(run, from));
    if (samples >= expected) return;
    if (samples !== seen) changedAt = now();
    seen = samples;
    if (now() - changedAt > SILENCE_MS) {
      throw new CommandFailure(
        `${samples} of ${expected} samples reached the collector, and no more came for ${SILENCE_MS / 1000} s`,
        'Run it again with --headed and look at the extension; if it happens again, please report it.',
      );
    }
    await sleep(POLL_MS, undefined, { signal: stopped }).catch(() => {});
  }
}

/** Until the next round, or the end of the demo if that is sooner. */
async function pause({ until, now, stopped }: DemoRun): Promise<void> {
  const left = until === null ? PAUSE_MS : Math.min(PAUSE_MS, until - now());
  await sleep(Math.max(0, left), undefined, { signal: stopped }).catch(() => {});
}

function readSummary({ collector, now }: DemoRun, from: number): Promise<SummaryDocument> {
  // `to` is exclusive, and a sample may be from this very millisecond.
  const range = { from: new Date(from).toISOString(), to: new Date(now() + 1).toISOString() };
  return collector.summary(new URLSearchParams({ ...range, by: 'host,type' }));
}

function sampleCount(summary: SummaryDocument): number {
  return summary.cells.reduce((sum, cell) => sum + cell.samples, 0);
}
