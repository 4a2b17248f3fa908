import { setTimeout as sleep } from 'node:timers/promises';
import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import type { BrowserTab } from '../browser/browser-session.ts';
import { browseApps } from './browse-apps.ts';
import { demoTargets } from './demo-apps.ts';
import type { DemoCollector } from './demo-collector.ts';
import { stoppableTab } from './stoppable-tab.ts';
import { Aborted } from './until-aborted.ts';
import { waitForSamples } from './wait-for-samples.ts';

/** A user reads between two rounds, ms. */
const PAUSE_MS = 3_000;

export interface DemoRun {
  readonly tab: BrowserTab;
  readonly collector: DemoCollector;
  readonly origins: Readonly<Record<string, string>>;
  readonly once: boolean;
  /** No round is begun after it, epoch ms; null goes on until `stopped` aborts. The first one is begun anyway. */
  readonly until: number | null;
  readonly stopped: AbortSignal;
  readonly now: () => number;
  readonly say: (...lines: readonly string[]) => void;
}

/**
 * Browses in rounds, each ending when all its samples have arrived, and resolves with the summary of them all by host
 * and type; null where it was stopped before the first round was complete.
 */
export async function runDemo(run: DemoRun): Promise<SummaryDocument | null> {
  const from = run.now();
  let expected = 0;
  let summary: SummaryDocument | null = null;
  for (let round = 1; !run.stopped.aborted; round++) {
    try {
      expected += await browseApps(stoppableTab(run.tab, run.stopped), run.origins);
    } catch (error) {
      if (error instanceof Aborted) break;
      throw error;
    }
    await waitForSamples(async () => sampleCount(await read(run, from)), expected, run.now, run.stopped);
    if (run.stopped.aborted) break;
    summary = await read(run, from);
    run.say(`Round ${round} is complete: ${sampleCount(summary)} requests measured.`);
    if (run.once) break;
    await pause(run);
    if (run.until !== null && run.now() >= run.until) break;
  }
  if (summary === null) return null;
  return { ...summary, method: { ...summary.method, demo: { targets: demoTargets() } } };
}

/** Until the next round, or the end of the demo if that is sooner. */
async function pause({ until, now, stopped }: DemoRun): Promise<void> {
  const left = until === null ? PAUSE_MS : Math.min(PAUSE_MS, until - now());
  await sleep(Math.max(0, left), undefined, { signal: stopped }).catch(() => {});
}

function read({ collector, now }: DemoRun, from: number): Promise<SummaryDocument> {
  // `to` is exclusive, and a sample may be of this very millisecond.
  const range = { from: new Date(from).toISOString(), to: new Date(now() + 1).toISOString() };
  return collector.summary(new URLSearchParams({ ...range, by: 'host,type' }));
}

function sampleCount(summary: SummaryDocument): number {
  return summary.cells.reduce((sum, cell) => sum + cell.samples, 0);
}
