import type { ObservedRequest } from '../../shared/timing/entry-context.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { RequestLog } from '../background/request-log.ts';
import { platform, type WebRequest } from '../platform.ts';

/** Where all requests without a tab belong. */
const PLACE = { tab: -1, frame: 0 };
/** webRequest reports a request shortly after fetch does; after this time nothing more comes, ms. */
const EVENT_WAIT_MS = 500;

/** How a request ended, as far as webRequest reported. */
export interface RequestEnd {
  readonly status: number | null;
  /** Redirect target; null if the response is the one requested. */
  readonly finalUrl: string | null;
  /** The browser's own code. */
  readonly error: string | null;
}

export interface RequestWatch {
  /** What webRequest saw of the request between these epoch ms; null in Chromium, where it is not needed. */
  observed(url: string, start: number, end: number): Promise<ObservedRequest | null>;
  /** Discards earlier events for this URL: they belong to another request. */
  expect(url: string): void;
  /** The first end reported for the expected request; the error `other` if there is none. */
  endOf(url: string): Promise<RequestEnd>;
  /** Resolves once the request has failed or was redirected, after which there is nothing to wait for. */
  spoilt(url: string): Promise<void>;
  stop(): void;
}

/** Observes the probe's own requests: why they fail and, in Firefox, when their headers arrived. */
export function watchRequests(engine: BrowserEngine, hosts: readonly string[]): RequestWatch {
  const { webRequest } = platform;
  const filter: WebRequest.RequestFilter = { urls: hosts.flatMap((host) => [`*://${host}/*`, `*://*.${host}/*`]) };
  const log = new RequestLog();
  const ends = new Map<string, RequestEnd>();
  /** Callbacks waiting for the next event. */
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of waiting) each();
  };

  /** Only the first counts: a redirected frame may also fail at its new address. */
  const ended = (tabId: number, url: string, end: Partial<RequestEnd>) => {
    if (tabId >= 0) return;
    if (!ends.has(url)) ends.set(url, { status: null, finalUrl: null, error: null, ...end });
    wake();
  };
  const failed = ({ tabId, url, error }: { tabId: number; url: string; error: string }) =>
    ended(tabId, url, { error: codeOf(error) });
  const redirected = ({ tabId, url, statusCode, redirectUrl }: WebRequest.OnBeforeRedirectDetailsType) =>
    ended(tabId, url, { status: statusCode, finalUrl: redirectUrl });
  const completed = ({ tabId, url, statusCode }: WebRequest.OnCompletedDetailsType) =>
    ended(tabId, url, { status: statusCode });
  const sent = ({ tabId, requestId, url, timeStamp }: WebRequest.OnSendHeadersDetailsType) => {
    if (tabId < 0) log.sent(requestId, { ...PLACE, url }, timeStamp);
  };
  const answered = ({ requestId, timeStamp }: WebRequest.OnHeadersReceivedDetailsType) => {
    log.answered(requestId, timeStamp);
    wake();
  };
  webRequest.onErrorOccurred.addListener(failed, filter);
  webRequest.onBeforeRedirect.addListener(redirected, filter);
  webRequest.onCompleted.addListener(completed, { ...filter, types: ['sub_frame'] });
  if (engine === 'firefox') {
    webRequest.onSendHeaders.addListener(sent, filter);
    webRequest.onHeadersReceived.addListener(answered, filter);
  }

  /** Resolves to what `look` finds, now or after an event. */
  async function soon<T>(look: () => T | null): Promise<T | null> {
    const end = Date.now() + EVENT_WAIT_MS;
    for (;;) {
      const found = look();
      const left = end - Date.now();
      if (found !== null || left <= 0) return found;
      await new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(timer);
          waiting.delete(go);
          resolve();
        };
        const timer = setTimeout(go, left);
        waiting.add(go);
      });
    }
  }

  return {
    observed: async (url, start, end) =>
      engine === 'firefox' ? soon(() => log.match({ ...PLACE, url }, { start, end }).observed) : null,
    expect: (url) => void ends.delete(url),
    endOf: async (url) => (await soon(() => ends.get(url) ?? null)) ?? { status: null, finalUrl: null, error: 'other' },
    async spoilt(url) {
      const isSpoilt = () => {
        const end = ends.get(url);
        return end !== undefined && (end.error !== null || end.finalUrl !== null);
      };
      while (!isSpoilt()) {
        await new Promise<void>((resolve) => {
          const go = () => {
            waiting.delete(go);
            resolve();
          };
          waiting.add(go);
        });
      }
    },
    stop() {
      webRequest.onCompleted.removeListener(completed);
      webRequest.onErrorOccurred.removeListener(failed);
      webRequest.onBeforeRedirect.removeListener(redirected);
      webRequest.onSendHeaders.removeListener(sent);
      webRequest.onHeadersReceived.removeListener(answered);
    },
  };
}

/** Firefox reports errors of its TLS library as a sentence in the user's language; all others are codes. */
function codeOf(error: string): string {
  return /^[\w:]+$/.test(error) ? error : 'TLS_OR_CERTIFICATE';
}
