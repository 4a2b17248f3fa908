import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { type Action, followAction, LIMIT_MS } from '../../../shared/journeys/action.ts';
import { nameStep } from '../../../shared/journeys/name-step.ts';
import { nearestElements, wantedElement } from '../../../shared/journeys/nearest-elements.ts';
import type { Recording, Step } from '../../../shared/journeys/recording.ts';
import {
  type Breakage,
  type BreakReason,
  type RunOutcome,
  redactAddress,
  redactText,
  type StepOutcome,
} from '../../../shared/journeys/run-outcome.ts';
import type { VariableValues } from '../../../shared/journeys/variables.ts';
import { pollUntil, StepBroke } from './find-element.ts';
import { surveyPage } from './in-page.mjs';
import { type PageActivityLog, type SeenRequest, watchPage } from './page-activity.ts';
import { navigationFault, performStep } from './perform-step.ts';
import { launchRobot, type RobotOptions } from './robot-browser.ts';

/** How long a step waits for its element, if the recording does not say. */
const TIMEOUT_MS = 5_000;
const POLL_MS = 20;
/** How much longer than its limit a step may take for its event. */
const EVENT_MS = 2_000;
/** A page that hangs does not keep a broken run from ending. */
const SURVEY_MS = 3_000;
/** The driver may notice that the browser is gone before it tells. */
const GONE_MS = 2_000;

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
}

interface Replay {
  readonly recording: Recording;
  readonly page: Page;
  readonly log: PageActivityLog;
  readonly values: VariableValues;
  /** Rejects at the first thing that a user would have to answer. */
  readonly interrupted: Promise<never>;
  /** Aborts with the run, so that no step goes on waiting in a browser that is gone. */
  readonly ended: AbortSignal;
  /** The page on which a password was typed. */
  signInPage: string | null;
}

/** What is known of a step that is under way. */
interface Progress {
  begunAt: number | null;
  addressBefore: string;
  action: Action | null;
  waitedMs: number | null;
}

/**
 * Replays a recording once, in a browser of its own that ends with it. Rejects with a BrowserError if the browser does not start;
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
    // Nothing may be waiting for it when it comes.
    interrupted.catch(() => {});
    const log = await watchPage(page, engine, (reason, opened = '') => breaks(reason, redactAddress(opened) || null));
    const replay: Replay = { recording, page, log, values, interrupted, ended: end.signal, signInPage: null };
    const steps: StepOutcome[] = [];
    let broke: Breakage | null = null;
    for (let step = 1; step <= recording.steps.length && broke === null; step++) {
      progress?.(step);
      const under: Progress = { begunAt: null, addressBefore: page.url(), action: null, waitedMs: null };
      broke = await Promise.race([runStep(replay, step, under), replay.interrupted])
        .then(() => null)
        .catch((error: unknown) => toBreakage(replay, step, error));
      steps.push(toOutcome(replay, step, under, broke !== null));
    }
    const ms = broke === null ? steps.reduce((sum, each) => sum + (each.ms ?? 0), 0) : null;
    return { up: broke === null, ms, steps, broke, version, startedAt };
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

function stepAt({ recording }: Replay, step: number): Step {
  return recording.steps[step - 1] as Step;
}

async function runStep(replay: Replay, number: number, under: Progress): Promise<void> {
  const { recording, page, log, values, ended } = replay;
  const step = stepAt(replay, number);
  await sleep(step.lastbyte?.thinkMs ?? 0, undefined, { signal: ended });
  const timeoutMs = step.timeout ?? recording.timeout ?? TIMEOUT_MS;
  const limitMs = Math.max(LIMIT_MS, timeoutMs);
  const isWithinPage = (url: string) =>
    /#/.test(url) && new URL(url.replace(/#.*/, '')).href === under.addressBefore.replace(/#.*/, '');
  const opensPage = step.type === 'navigate' && !isWithinPage(step.url);
  // A page whose scripts never pause answers nothing, not even the mouse.
  const limit = sleep(limitMs + EVENT_MS, undefined, { signal: ended }).then(() => {
    throw new StepBroke('not_settled');
  });
  const performing = performStep(step, {
    page,
    values,
    isLate: lateAfter(timeoutMs, ended),
    begin: (pressedAt = Date.now()) => {
      ended.throwIfAborted();
      const isAsked = log.requests.some(({ startedAt }) => startedAt >= pressedAt);
      under.begunAt ??= isAsked ? pressedAt : Date.now();
      // A browser that is busy takes its time before it asks for the page: the page loads all the same.
      if (opensPage) log.loads.push({ startedAt: under.begunAt, loadedAt: null });
    },
    signsIn: () => {
      replay.signInPage = redactAddress(page.url());
    },
  });
  const performed = Promise.race([performing, limit]);
  const isRequested = () => documentsOf(log, under.begunAt ?? 0).length > 0;
  // The driver of Firefox may end before the page was requested; and it would wait for one that never loads, which ends by the limit.
  if (opensPage) await Promise.race([performed.then(() => limit), settle(replay, under, limitMs, isRequested)]);
  else await performed;
  if (step.type === 'waitForElement') under.waitedMs = Date.now() - (under.begunAt ?? Date.now());
  if (under.begunAt === null) return;
  await settle(replay, under, limitMs);
  const { error = null, status = null } = documentsOf(log, under.begunAt).at(-1) ?? {};
  const fault = error === null ? null : navigationFault(error);
  if (fault !== null) throw fault;
  if (status !== null && status >= 400) throw new StepBroke('http_status', String(status));
  await checkAssertedPage(replay, step, under, timeoutMs);
}

function lateAfter(ms: number, ended: AbortSignal): () => boolean {
  const deadline = Date.now() + ms;
  return () => {
    ended.throwIfAborted();
    return Date.now() >= deadline;
  };
}

async function settle({ log, ended }: Replay, under: Progress, limitMs: number, hasBegun = () => true): Promise<void> {
  for (;;) {
    under.action = followAction(log, under.begunAt ?? Date.now(), Date.now(), { limitMs });
    if (under.action.state === 'settled' && hasBegun()) return;
    if (under.action.state === 'unsettled') {
      const [pending] = under.action.pending as readonly SeenRequest[];
      throw new StepBroke('not_settled', redactAddress(pending?.url ?? '') || null);
    }
    await sleep(POLL_MS, undefined, { signal: ended });
  }
}

function documentsOf({ requests }: PageActivityLog, since: number): readonly SeenRequest[] {
  return requests.filter(({ isDocument, startedAt }) => isDocument && startedAt >= since);
}

/** Queries and keys in paths differ from run to run, so pages are compared by their templates. */
async function checkAssertedPage(
  { page, log, ended }: Replay,
  step: Step,
  under: Progress,
  timeoutMs: number,
): Promise<void> {
  for (const { url = '' } of step.assertedEvents ?? []) {
    const isThere = async () => {
      if (url !== '') return redactAddress(page.url()) === redactAddress(url) || null;
      return page.url() !== under.addressBefore || documentsOf(log, under.begunAt ?? 0).length > 0 || null;
    };
    if ((await pollUntil(lateAfter(timeoutMs, ended), isThere)) !== null) continue;
    throw new StepBroke(
      'wrong_page',
      `${redactAddress(page.url())} instead of ${redactAddress(url) || 'another page'}`,
    );
  }
}

async function toBreakage(replay: Replay, number: number, error: unknown): Promise<Breakage> {
  const why =
    error instanceof StepBroke
      ? error
      : await Promise.race([replay.interrupted, sleep(GONE_MS)]).catch((reason) => reason);
  if (!(why instanceof StepBroke)) throw why ?? error;
  const { page, log, values, recording } = replay;
  const step = stepAt(replay, number);
  const selectors = ('selectors' in step ? step.selectors : undefined) ?? [];
  const lookedFor = selectors.map((each) => (typeof each === 'string' ? each : each.join(' >>> ')));
  const survey = await Promise.race([page.evaluate(surveyPage).catch(() => null), sleep(SURVEY_MS)]);
  const broke = { step: number, reason: why.reason, detail: why.detail, lookedFor, page: null };
  if (!survey) return broke;
  const here = redactAddress(page.url());
  const known = new Set(recording.steps.flatMap(addressesOf));
  const isLost = ['element_not_found', 'wrong_page', 'condition_not_met'].includes(why.reason);
  const isSignIn = survey.signIn && (here === replay.signInPage || !known.has(here));
  const named = survey.elements.map(({ role, name }) => ({ role, name: redactText(name, values) }));
  return {
    ...broke,
    reason: isLost && isSignIn ? 'sign_in_page' : why.reason,
    page: {
      title: redactText(survey.title, values),
      url: here,
      status: documentsOf(log, 0).at(-1)?.status ?? null,
      consoleErrors: log.consoleErrors,
      failedRequests: log.requests.filter(({ error, status }) => error !== null || (status ?? 0) >= 400).length,
      nearest: nearestElements(
        wantedElement(selectors),
        named.filter(({ name }) => name !== ''),
      ),
    },
  };
}

function addressesOf(step: Step): string[] {
  const opened = step.type === 'navigate' ? [step.url] : [];
  return [...opened, ...(step.assertedEvents ?? []).map(({ url = '' }) => url)].map(redactAddress);
}

function toOutcome(
  replay: Replay,
  number: number,
  { begunAt, action, waitedMs }: Progress,
  isBroken: boolean,
): StepOutcome {
  const step = stepAt(replay, number);
  const requests = ((action?.requests ?? []) as readonly SeenRequest[]).filter(({ cached }) => !cached);
  const ended = action?.endedAt ?? null;
  const took = ended === null || begunAt === null ? waitedMs : ended - begunAt;
  return {
    step: number,
    type: step.type,
    name: nameStep(step),
    ms: isBroken || took === null ? null : Math.round(took * 10) / 10,
    requests: requests.length,
    connections: requests.filter(({ opened }) => opened).length,
    bytes: requests.reduce((sum, { bytes }) => sum + bytes, 0),
    polls: action?.polls.length ?? 0,
    thresholdMs: step.lastbyte?.thresholdMs ?? null,
  };
}
