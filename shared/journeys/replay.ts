import { parseHttpUrl } from '../redact/http-url.ts';
import type { BreakReason } from '../vocabulary/break-reasons.ts';
import { type Action, followAction, LIMIT_MS } from './action.ts';
import type { Breakage } from './breakage.ts';
import { nameStep } from './name-step.ts';
import { nearestElements, wantedElement } from './nearest-elements.ts';
import type { PageActivityLog, SeenRequest } from './page-activity-log.ts';
import type { Recording, Step } from './recording.ts';
import { type NamedElement, type RunOutcome, redactAddress, redactText, type StepOutcome } from './run-outcome.ts';
import type { VariableValues } from './variables.ts';

/** How long a step waits for its element, if the recording does not say. */
const TIMEOUT_MS = 5_000;
const POLL_MS = 20;
const LOOK_MS = 50;
/** How much longer than its limit a step may take for its event. */
const EVENT_MS = 2_000;
/** A page that hangs does not keep a broken run from ending. */
const SURVEY_MS = 3_000;
/** No browser follows more. https://fetch.spec.whatwg.org/#http-redirect-fetch */
const MAX_REDIRECTS = 20;
/** A tab or a browser may be gone before the one who drives it is told. */
export const GONE_MS = 2_000;
/** A step that broke because what it needs is not there. */
const LOST: readonly BreakReason[] = ['element_not_found', 'not_visible', 'wrong_page', 'condition_not_met'];
const EVENTS: readonly Step['type'][] = ['click', 'doubleClick', 'hover', 'keyDown', 'keyUp'];

/** A step can't go on. */
export class StepBroke extends Error {
  readonly reason: BreakReason;
  readonly detail: string | null;
  constructor(reason: BreakReason, detail: string | null = null) {
    super(reason);
    this.reason = reason;
    this.detail = detail;
  }
}

/** Whether a user could act on an element now: as `lookAt` of extension/journey/in-page.mjs says. */
export interface ElementState {
  readonly visible: boolean;
  readonly disabled: boolean;
  readonly readOnly: boolean;
  /** The kind of control; empty for what takes no input. */
  readonly control: string;
  readonly isPassword: boolean;
  readonly coveredBy: string | null;
  readonly moving: boolean;
}

/** Why a step can't act on an element yet; null if it can, or could once the element is at rest. */
export function obstacle({ type }: Step, state: ElementState): StepBroke | null {
  const { visible, disabled, control, readOnly, coveredBy } = state;
  if (!visible) return new StepBroke('not_visible');
  if (disabled) return new StepBroke('disabled');
  const isFixed = control === '' || control === 'file' || (readOnly && control === 'text');
  if (type === 'change' && isFixed) return new StepBroke('not_editable');
  return coveredBy === null ? null : new StepBroke('covered', redactText(coveredBy));
}

/** The page when a step broke; texts as the page has them. */
export interface PageSurvey {
  readonly title: string;
  /** Whether it has a field for a password. */
  readonly signIn: boolean;
  readonly elements: readonly NamedElement[];
  /** The last event did nothing at all to this document. Absent where events are the browser's own. */
  readonly inert?: boolean;
}

export interface StepContext {
  readonly values: VariableValues;
  /** Asks until there is an answer; null once the step has waited for its timeout. Errors of a page that changes are no answer. */
  readonly poll: <T>(ask: () => Promise<T | null>) => Promise<T | null>;
  /** Called right before the step's event, or with its moment. If anything was requested since `pressedAt`, the event was that. */
  readonly begin: (at?: number, pressedAt?: number) => void;
  /** Called when a password is typed. */
  readonly signsIn: () => void;
}

/** The browser that a journey is replayed in. */
export interface ReplayEdges {
  readonly log: PageActivityLog;
  /** Epoch ms. */
  now(): number;
  /** Rejects once the run is over. */
  sleep(ms: number): Promise<unknown>;
  /** The page's address now. */
  address(): string;
  /** Does what the step says, its event at most once. Throws StepBroke. */
  perform(step: Step, context: StepContext): Promise<void>;
  /** null if the page can't be looked at. */
  survey(): Promise<PageSurvey | null>;
  /** Rejects at the first thing that a user would have to answer, or that ends the page. */
  readonly interrupted: Promise<never>;
  /** Called as each step begins; steps count from 1. */
  progress?(step: number): void;
  /** Called with the moment of each step's event, epoch ms. */
  begun?(step: number, at: number): void;
}

interface Replay {
  readonly edges: ReplayEdges;
  readonly recording: Recording;
  readonly values: VariableValues;
  /** The page on which a password was typed. */
  signInPage: string | null;
  isOver: boolean;
}

/** What is known of a step that is under way. */
interface Progress {
  readonly number: number;
  readonly step: Step;
  readonly addressBefore: string;
  begunAt: number | null;
  action: Action | null;
  waitedMs: number | null;
}

/** Replays a recording once. Whatever the page does is an outcome; rejects only if the run itself fails or is stopped. */
export async function replayJourney(
  recording: Recording,
  values: VariableValues,
  edges: ReplayEdges,
): Promise<RunOutcome> {
  const replay: Replay = { edges, recording, values, signInPage: null, isOver: false };
  // Nothing may be waiting for it when it comes.
  edges.interrupted.catch(() => {});
  const done: Progress[] = [];
  let broke: Breakage | null = null;
  try {
    for (const [index, step] of recording.steps.entries()) {
      if (broke !== null) break;
      const number = index + 1;
      edges.progress?.(number);
      const addressBefore = edges.address();
      const under: Progress = { number, step, addressBefore, begunAt: null, action: null, waitedMs: null };
      const before = done.at(-1);
      done.push(under);
      broke = await Promise.race([runStep(replay, under), edges.interrupted])
        .then(() => null)
        .catch((error: unknown) => toBreakage(replay, under, before, error));
    }
  } finally {
    replay.isOver = true;
  }
  const steps = done.map((under, index) => toOutcome(under, broke !== null && index === done.length - 1));
  const ms = broke === null ? steps.reduce((sum, each) => sum + (each.ms ?? 0), 0) : null;
  return { up: broke === null, ms, steps, broke };
}

async function runStep(replay: Replay, under: Progress): Promise<void> {
  const { recording, values, edges } = replay;
  const { log } = edges;
  const { step } = under;
  await pause(replay, step.lastbyte?.thinkMs ?? 0);
  const timeoutMs = step.timeout ?? recording.timeout ?? TIMEOUT_MS;
  const limitMs = Math.max(LIMIT_MS, timeoutMs);
  const opensPage = step.type === 'navigate' && !isWithinPage(step.url, under.addressBefore);
  const poll = <T>(ask: () => Promise<T | null>) => pollUntil(replay, timeoutMs, ask);
  // A page whose scripts never pause answers nothing, not even the mouse.
  const limit = pause(replay, limitMs + EVENT_MS).then(() => {
    throw new StepBroke('not_settled');
  });
  // Most steps end before it, and then nothing waits for it.
  limit.catch(() => {});
  const performing = edges.perform(step, {
    values,
    poll,
    begin: (at = edges.now(), pressedAt = at) => {
      throwIfOver(replay);
      if (under.begunAt !== null) return;
      under.begunAt = log.requests.some(({ startedAt }) => startedAt >= pressedAt) ? pressedAt : at;
      edges.begun?.(under.number, under.begunAt);
      // A browser that is busy takes its time before it asks for the page: the page loads all the same.
      if (opensPage) log.loads.push({ startedAt: under.begunAt, loadedAt: null });
    },
    signsIn: () => {
      replay.signInPage = redactAddress(edges.address());
    },
  });
  const performed = Promise.race([performing, limit]);
  const isRequested = () => documentsSince(log, under.begunAt ?? 0).length > 0;
  // A driver may end before the page was requested; and it would wait for one that never loads, which ends by the limit.
  if (opensPage) await Promise.race([performed.then(() => limit), settle(replay, under, limitMs, isRequested)]);
  else await performed;
  if (step.type === 'waitForElement') under.waitedMs = edges.now() - (under.begunAt ?? edges.now());
  if (under.begunAt === null) return;
  await settle(replay, under, limitMs);
  const { id, error = null, status = null } = documentsSince(log, under.begunAt).at(-1) ?? {};
  const hops = log.requests.filter((each) => each.id === id).length;
  // Chromium 156 tells an extension no more of them than that the request was aborted.
  if (error !== null && hops >= MAX_REDIRECTS) throw new StepBroke('redirect_loop', `${hops} redirects`);
  const fault = error === null ? null : navigationFault(error);
  if (fault !== null) throw fault;
  if (status !== null && status >= 400) throw new StepBroke('http_status', String(status));
  await checkAssertedPage(replay, under, poll);
}

/** Whether an address leads to another place of the page that is open. */
function isWithinPage(url: string, open: string): boolean {
  const [to, from] = [parseHttpUrl(url), parseHttpUrl(open)];
  return (
    url.includes('#') && to?.origin === from?.origin && to?.pathname === from?.pathname && to?.search === from?.search
  );
}

function throwIfOver({ isOver }: Replay): void {
  if (isOver) throw new Error('The run is over.');
}

async function pause(replay: Replay, ms: number): Promise<void> {
  await replay.edges.sleep(ms);
  throwIfOver(replay);
}

async function pollUntil<T>(replay: Replay, timeoutMs: number, ask: () => Promise<T | null>): Promise<T | null> {
  const deadline = replay.edges.now() + timeoutMs;
  for (;;) {
    const answer = await ask().catch((error) => {
      if (error instanceof StepBroke) throw error;
      return null;
    });
    throwIfOver(replay);
    if (answer !== null || replay.edges.now() >= deadline) return answer;
    await pause(replay, LOOK_MS);
  }
}

async function settle(replay: Replay, under: Progress, limitMs: number, hasBegun = () => true): Promise<void> {
  const { edges } = replay;
  for (;;) {
    under.action = followAction(edges.log, under.begunAt ?? edges.now(), edges.now(), { limitMs });
    if (under.action.state === 'settled' && hasBegun()) return;
    if (under.action.state === 'unsettled') {
      const [pending] = under.action.pending as readonly SeenRequest[];
      throw new StepBroke('not_settled', redactAddress(pending?.url ?? '') || null);
    }
    await pause(replay, POLL_MS);
  }
}

function documentsSince({ requests }: PageActivityLog, since: number): readonly SeenRequest[] {
  return requests.filter(({ isDocument, startedAt }) => isDocument && startedAt >= since);
}

/** Null where the page went elsewhere while it was loading or saved a file, and where its status says more. */
export function navigationFault(code: string): StepBroke | null {
  if (/ERR_ABORTED|NS_BINDING_ABORTED|ERR_HTTP_RESPONSE_CODE_FAILURE/.test(code)) return null;
  if (code === 'net::ERR_INVALID_AUTH_CREDENTIALS') return new StepBroke('http_status', '401');
  const isLoop = code === 'net::ERR_TOO_MANY_REDIRECTS' || code === 'NS_ERROR_REDIRECT_LOOP';
  return new StepBroke(isLoop ? 'redirect_loop' : 'navigation_failed', code);
}

/** Queries and keys in paths differ from run to run, so pages are compared by their templates. */
async function checkAssertedPage({ edges }: Replay, under: Progress, poll: StepContext['poll']): Promise<void> {
  for (const { url = '' } of under.step.assertedEvents ?? []) {
    const isThere = async () => {
      if (url !== '') return redactAddress(edges.address()) === redactAddress(url) || null;
      return (
        edges.address() !== under.addressBefore || documentsSince(edges.log, under.begunAt ?? 0).length > 0 || null
      );
    };
    if ((await poll(isThere)) !== null) continue;
    const here = redactAddress(edges.address());
    throw new StepBroke('wrong_page', `${here} instead of ${redactAddress(url) || 'another page'}`);
  }
}

async function toBreakage(
  replay: Replay,
  under: Progress,
  before: Progress | undefined,
  error: unknown,
): Promise<Breakage> {
  const { edges, values, recording } = replay;
  const { log } = edges;
  const why =
    error instanceof StepBroke ? error : await Promise.race([edges.interrupted, edges.sleep(GONE_MS)]).catch((e) => e);
  if (!(why instanceof StepBroke)) throw why ?? error;
  const { step } = under;
  const selectors = ('selectors' in step ? step.selectors : undefined) ?? [];
  const lookedFor = selectors.map((each) => (typeof each === 'string' ? each : each.join(' >>> ')));
  const survey = await Promise.race([edges.survey().catch(() => null), edges.sleep(SURVEY_MS).then(() => null)]);
  const broke = { step: under.number, reason: why.reason, detail: why.detail, lookedFor, page: null };
  if (survey === null) return broke;
  const here = redactAddress(edges.address());
  const known = new Set(recording.steps.flatMap(addressesIn));
  const isLost = LOST.includes(why.reason);
  const isSignIn = survey.signIn && (here === replay.signInPage || !known.has(here));
  const ignored = [under, before].find((each) => each?.begunAt != null && EVENTS.includes(each.step.type));
  const isInert = survey.inert === true && ignored?.action?.requests.length === 0;
  const named = survey.elements.map(({ role, name }) => ({ role: redactText(role), name: redactText(name, values) }));
  return {
    ...broke,
    ...(isLost && isSignIn ? { reason: 'sign_in_page' } : {}),
    ...(isLost && isInert
      ? { reason: 'untrusted_events', detail: `step ${ignored.number}: ${nameStep(ignored.step)}` }
      : {}),
    page: {
      title: redactText(survey.title, values),
      url: here,
      status: documentsSince(log, 0).at(-1)?.status ?? null,
      consoleErrors: log.consoleErrors,
      failedRequests: log.requests.filter(({ error, status }) => error !== null || (status ?? 0) >= 400).length,
      nearest: nearestElements(
        wantedElement(selectors),
        named.filter(({ name }) => name !== ''),
      ),
    },
  };
}

function addressesIn(step: Step): string[] {
  const opened = step.type === 'navigate' ? [step.url] : [];
  return [...opened, ...(step.assertedEvents ?? []).map(({ url = '' }) => url)].map(redactAddress);
}

function toOutcome({ number, step, begunAt, action, waitedMs }: Progress, isBroken: boolean): StepOutcome {
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
