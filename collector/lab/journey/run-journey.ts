import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { surveyPage } from '../../../extension/journey/in-page.mjs';
import type { SeenRequest } from '../../../shared/journeys/page-activity-log.ts';
import type { Recording } from '../../../shared/journeys/recording.ts';
import { GONE_MS, replayJourney, StepBroke } from '../../../shared/journeys/replay.ts';
import { type RunOutcome, redactAddress, redactText } from '../../../shared/journeys/run-outcome.ts';
import type { VariableValues } from '../../../shared/journeys/variables.ts';
import type { BreakReason } from '../../../shared/vocabulary/break-reasons.ts';
import { performStep } from './perform-step.ts';
import { launchRobot, type RobotOptions } from './robot-browser.ts';
import { watchPage } from './watch-page.ts';

export interface JourneyOptions extends RobotOptions {
  readonly values: VariableValues;
  /** Called before each step, which counts from 1. */
  readonly progress?: (step: number) => void;
  /** Ends the browser; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface JourneyRun extends RunOutcome {
  /** The browser's version. */
  readonly version: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly requests: readonly SeenRequest[];
  /** The moment of each step's event, epoch ms; null for one without. */
  readonly begun: readonly (number | null)[];
}

/**
 * Replays a recording once, in a browser of its own that ends with it. Rejects with a CommandFailure if the browser does not start;
 * whatever the page does is an outcome.
 */
export async function runJourney(recording: Recording, options: JourneyOptions): Promise<JourneyRun> {
  const { engine, values, progress } = options;
  const robot = await launchRobot(options);
  const end = new AbortController();
  try {
    const { page, version } = robot;
    const startedAt = Date.now();
    let breaks: ReturnType<typeof watchInterruptions> = () => {};
    const interrupted = new Promise<never>((_, reject) => {
      breaks = watchInterruptions(page, options, reject);
    });
    const log = await watchPage(page, engine, (reason, opened = '') => breaks(reason, redactAddress(opened) || null));
    const begun: (number | null)[] = [];
    const outcome = await replayJourney(recording, values, {
      log,
      begun: (step, at) => {
        while (begun.length < step - 1) begun.push(null);
        begun[step - 1] = at;
      },
      now: Date.now,
      sleep: (ms) => sleep(ms, undefined, { signal: end.signal }),
      address: () => page.url(),
      perform: (step, context) => performStep(step, page, context),
      survey: () => page.evaluate(surveyPage),
      interrupted,
      ...(progress && { progress }),
    });
    return { ...outcome, version, startedAt, requests: log.requests, begun };
  } finally {
    end.abort();
    await robot.close();
  }
}

/** Calls `reject` at the first thing that a user would have to answer, or that ends the page. */
function watchInterruptions(page: Page, { values, signal }: JourneyOptions, reject: (reason: unknown) => void) {
  const breaks = (reason: BreakReason, detail: string | null = null) => reject(new StepBroke(reason, detail));
  page.on('dialog', (dialog) => {
    breaks('dialog', `${dialog.type()}: ${redactText(dialog.message(), values)}`);
    // Left open it would block the page, which is still to be looked at.
    dialog.dismiss().catch(() => {});
  });
  // A browser that quits closes its pages first.
  page.on('close', () => setTimeout(() => breaks('page_closed'), GONE_MS / 2));
  page.browser().on('disconnected', () => breaks('browser_quit'));
  const stop = () => reject(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  return breaks;
}
