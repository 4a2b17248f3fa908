import { PageActivityLog } from '../../shared/journeys/page-activity-log.ts';
import type { Step } from '../../shared/journeys/recording.ts';
import { type PageSurvey, type ReplayEdges, StepBroke, type StepContext } from '../../shared/journeys/replay.ts';
import { redactAddress, redactText } from '../../shared/journeys/run-outcome.ts';
import { fillVariables, type VariableValues } from '../../shared/journeys/variables.ts';
import { findTarget, withoutPort } from '../../shared/redact/match-pattern.ts';
import { ask } from '../pages/ask.ts';
import { platform, type WebRequest } from '../platform.ts';
import { SCRIPT_IDS } from './clean-up.ts';
import type { PageAnswer } from './replay-page.ts';

/** No answer to what the user does. */
const NEVER_HOLDS: readonly string[] = ['beacon', 'csp_report', 'media', 'ping', 'speculative', 'websocket'];
/** The most that an empty page takes, even in a busy browser. */
const EMPTY_MS = 10_000;
const LOOK_MS = 20;
const ICON = /\/(favicon|apple-touch-icon)[^/]*$/i;
/** What replay-world.ts tells of. */
const FROM_PAGES = ['dialog', 'file_chooser', 'window_opened'] as const;
const IN_PAGE = 'replay-page.js';

/** A tab in a window of its own, in which a journey is replayed. */
export interface ReplayTab extends ReplayEdges {
  readonly id: number;
  /** Hears no more of it. The background closes the tab. */
  close(): void;
}

/** @param patterns match patterns of the journey's app: in no other page anything is done */
export async function openReplayTab(patterns: readonly string[], values: VariableValues): Promise<ReplayTab> {
  const { runtime, scripting, tabs, webRequest, windows } = platform;
  const matches = [...new Set(patterns.map(withoutPort))];
  // Frames without an address of their own too, which browsers allow for whole origins only.
  const matchOriginAsFallback = matches.every((pattern) => /^[^/]+:\/\/[^/]+\/\*$/.test(pattern));
  const how = { allFrames: true, runAt: 'document_start', persistAcrossSessions: false } as const;
  const everywhere = { ...how, matches, matchOriginAsFallback };
  await scripting.registerContentScripts([
    { ...everywhere, id: SCRIPT_IDS[0], js: [IN_PAGE] },
    { ...everywhere, id: SCRIPT_IDS[1], js: ['replay-world.js'], world: 'MAIN' },
  ]);
  const { id: window, tabs: [{ id: tab } = {}] = [] } = await windows.create({ url: 'about:blank', focused: true });
  if (tab === undefined || window === undefined) throw new Error('The browser opened no window.');
  await ask({ kind: 'robot-tab', tab });

  // A page that is opened while the empty one is still loading may be lost.
  for (let ms = 0; ms < EMPTY_MS && (await tabs.get(tab)).status !== 'complete'; ms += LOOK_MS) await sleep(LOOK_MS);

  const log = new PageActivityLog();
  let address = '';
  let breaks = (_: StepBroke): void => {};
  const interrupted = new Promise<never>((_, reject) => {
    breaks = reject;
  });

  const undo: (() => void)[] = [];
  function listen<Listener extends (...args: never[]) => unknown, Rest extends unknown[]>(
    event: { addListener(listener: Listener, ...rest: Rest): void; removeListener(listener: Listener): void },
    listener: Listener,
    ...rest: Rest
  ): void {
    event.addListener(listener, ...rest);
    undo.push(() => event.removeListener(listener));
  }

  const filter: WebRequest.RequestFilter = { urls: ['http://*/*', 'https://*/*'], tabId: tab };
  listen(
    webRequest.onBeforeRequest,
    ({ requestId, url, method, type, timeStamp }: WebRequest.OnBeforeRequestDetailsType) => {
      // The browser requests the page's icon by itself; no action causes it.
      if (type !== 'main_frame' && ICON.test(url)) return;
      log.begin(requestId, timeStamp, {
        url,
        method,
        isDocument: type === 'main_frame',
        holds: !NEVER_HOLDS.includes(type),
        byScript: type === 'xmlhttprequest',
        initiatorType: '',
      });
    },
    filter,
  );
  listen(
    webRequest.onBeforeRedirect,
    ({ requestId, statusCode, timeStamp }: WebRequest.OnBeforeRedirectDetailsType) => {
      log.note(requestId, { status: statusCode });
      log.finish(requestId, timeStamp);
    },
    filter,
  );
  listen(
    webRequest.onHeadersReceived,
    ({ requestId, responseHeaders = [] }: WebRequest.OnHeadersReceivedDetailsType) => {
      const type = responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
      if (type.startsWith('text/event-stream')) log.note(requestId, { holds: false });
    },
    filter,
    ['responseHeaders'],
  );
  // Nobody is there to answer.
  listen(
    webRequest.onAuthRequired,
    ({ type, statusCode }: WebRequest.OnAuthRequiredDetailsType) => {
      if (type === 'main_frame') breaks(new StepBroke('http_status', String(statusCode)));
    },
    filter,
  );
  listen(
    webRequest.onCompleted,
    ({ requestId, statusCode, fromCache, timeStamp }: WebRequest.OnCompletedDetailsType) => {
      log.note(requestId, { status: statusCode, cached: fromCache });
      log.finish(requestId, timeStamp);
    },
    filter,
  );
  listen(
    webRequest.onErrorOccurred,
    ({ requestId, error, timeStamp }: WebRequest.OnErrorOccurredDetailsType) =>
      log.finish(requestId, timeStamp, { error }),
    filter,
  );
  listen(tabs.onUpdated, (updated: number, { status, url }: { status?: string; url?: string }) => {
    if (updated !== tab) return;
    if (url !== undefined) address = url;
    if (status === 'complete') log.loaded(Date.now());
  });
  listen(tabs.onRemoved, (removed: number) => {
    if (removed !== tab) return;
    breaks(new StepBroke('page_closed'));
  });
  listen(
    tabs.onCreated,
    ({ id, openerTabId, pendingUrl }: { id?: number; openerTabId?: number; pendingUrl?: string }) => {
      if (openerTabId !== tab) return;
      breaks(new StepBroke('window_opened', redactAddress(pendingUrl ?? '') || null));
      if (id !== undefined) void tabs.remove(id);
    },
  );
  listen(runtime.onMessage, (message: unknown, sender: { tab?: { id?: number } }) => {
    const { kind, detail } = message as { kind?: string; detail?: string };
    if (kind !== 'robot' || sender.tab?.id !== tab) return undefined;
    const [, reason = '', more = ''] = /^(\w+) ?(.*)$/s.exec(detail ?? '') ?? [];
    // A page can say what it likes.
    const known = FROM_PAGES.find((each) => each === reason);
    if (known === undefined) return undefined;
    const opened = known === 'window_opened' && URL.canParse(more, address) ? new URL(more, address).href : '';
    breaks(new StepBroke(known, (opened === '' ? redactText(more, values) : redactAddress(opened)) || null));
    return undefined;
  });

  /** The frame a step is about; null if the page has no such frame, or none that the extension may see. */
  async function findFrame({
    target,
    frame = [],
  }: {
    target?: string;
    frame?: readonly number[];
  }): Promise<number | null> {
    const isMain = target === undefined || target === 'main';
    if (isMain && frame.length === 0) return 0;
    const found = await scripting.executeScript({
      target: { tabId: tab as number, allFrames: true },
      func: () => (globalThis as unknown as Page).lastbyteReplay?.place(),
    });
    const places = found.flatMap(({ frameId, result }) => (result ? [{ frameId, ...(result as Place) }] : []));
    const bare = (url: string) => url.replace(/[?#].*$/, '');
    const root = isMain ? [] : places.find((each) => bare(each.address) === bare(target))?.path;
    const wanted = root === undefined ? null : [...root, ...frame].join();
    return places.find(({ path }) => path.join() === wanted)?.frameId ?? null;
  }

  const isOwn = (url: string) => findTarget(url, [{ match: patterns }]) !== null;

  async function attempt(step: Step, text: string): Promise<PageAnswer> {
    // Permissions know no ports, and another port is another app.
    if (!isOwn(address)) return { reason: 'wrong_page', detail: redactAddress(address) || null };
    const frameId = await findFrame(step as Parameters<typeof findFrame>[0]);
    if (frameId === null) return { reason: 'frame_not_found', detail: null };
    const [answer] = await scripting.executeScript({
      target: { tabId: tab as number, frameIds: [frameId] },
      func: (...args: [Step, string]) => (globalThis as unknown as Page).lastbyteReplay?.attempt(...args) ?? null,
      args: [step, text],
    });
    const said = answer?.result as PageAnswer | null | undefined;
    return said ?? { reason: 'wrong_page', detail: redactAddress(address) || null };
  }

  async function perform(step: Step, { values: known, poll, begin, signsIn }: StepContext): Promise<void> {
    if (step.type === 'setViewport') return resize(step);
    if (step.type === 'navigate') {
      if (!isOwn(step.url)) throw new StepBroke('wrong_page', redactAddress(step.url) || null);
      begin();
      await tabs.update(tab, { url: step.url });
      return;
    }
    const text = step.type === 'change' ? fillVariables(step.value, known) : '';
    if (step.type === 'waitForElement') begin();
    let inTheWay = new StepBroke('element_not_found');
    const done = await poll(async () => {
      const answer = await attempt(step, text);
      if ('at' in answer) return answer;
      inTheWay = new StepBroke(answer.reason, answer.detail);
      return null;
    });
    if (done === null) throw inTheWay;
    if (done.isPassword) signsIn();
    if (done.at === null) return;
    begin(done.at);
    // Answered once the page is done with the event: it may never be. A page that the event ends can't answer, and need not.
    await scripting.executeScript({ target: { tabId: tab as number }, func: () => null }).catch(() => {});
  }

  /** The page's own size: the window has a frame and bars around it. */
  async function resize({ width, height }: { width: number; height: number }): Promise<void> {
    const [around, inside] = await Promise.all([windows.get(window as number), tabs.get(tab as number)]);
    const size = {
      width: width + (around.width ?? 0) - (inside.width ?? 0),
      height: height + (around.height ?? 0) - (inside.height ?? 0),
    };
    // Chromium refuses a window that is larger than the screen; then it has all of that.
    await windows.update(window as number, size).catch(() => windows.update(window as number, { state: 'maximized' }));
  }

  return {
    id: tab,
    log,
    interrupted,
    now: Date.now,
    sleep,
    address: () => address,
    perform,
    async survey() {
      const [found] = await scripting.executeScript({
        target: { tabId: tab, frameIds: [0] },
        func: () => (globalThis as unknown as Page).lastbyteReplay?.survey() ?? null,
      });
      return (found?.result as PageSurvey | null | undefined) ?? null;
    },
    close() {
      for (const each of undo) each();
    },
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface Place {
  readonly path: readonly number[];
  readonly address: string;
}
/** The addition of replay-page.ts to the global object of its world, which no declaration knows. */
interface Page {
  readonly lastbyteReplay?: {
    attempt(step: Step, text: string): PageAnswer;
    survey(): PageSurvey;
    place(): Place;
  };
}
