import type { Engine, ObservedRequest } from '../../shared/timing/entry-context.ts';
import { RequestLog } from '../background/request-log.ts';
import { platform, type WebRequest } from '../platform.ts';

/** All requests without a tab come from one place. */
const PLACE = { tab: -1, frame: 0 };
/** webRequest tells of a request a moment after fetch does; longer than this it says nothing, ms. */
const EVENT_WAIT_MS = 500;

export interface RequestWatch {
  /** What webRequest saw of the request within these epoch ms; null in Chromium, which needs none of it. */
  observed(url: string, start: number, end: number): Promise<ObservedRequest | null>;
  /** The browser's code of the failure that just happened; `other` where it says none. */
  errorOf(url: string): Promise<string>;
  /** Status or failure of a frame's request: its entry hides them. */
  endOf(url: string): Promise<{ readonly status: number | null; readonly error: string | null }>;
  stop(): void;
}

/** Watches the probe's own requests: why they fail and, in Firefox, when their answers' headers came. */
export function watchRequests(engine: Engine, hosts: readonly string[]): RequestWatch {
  const { webRequest } = platform;
  const filter: WebRequest.RequestFilter = { urls: hosts.flatMap((host) => [`*://${host}/*`, `*://*.${host}/*`]) };
  const log = new RequestLog();
  const errors = new Map<string, string>();
  const statuses = new Map<string, number>();
  /** Whoever waits for the next event. */
  let wake: () => void = () => {};

  const failed = ({ tabId, url, error }: { tabId: number; url: string; error: string }) => {
    if (tabId >= 0) return;
    errors.set(url, codeOf(error));
    wake();
  };
  const sent = ({ tabId, requestId, url, timeStamp }: WebRequest.OnSendHeadersDetailsType) => {
    if (tabId < 0) log.sent(requestId, { ...PLACE, url }, timeStamp);
  };
  const answered = ({ requestId, timeStamp }: WebRequest.OnHeadersReceivedDetailsType) => {
    log.answered(requestId, timeStamp);
    wake();
  };
  const completed = ({ tabId, url, statusCode }: WebRequest.OnCompletedDetailsType) => {
    if (tabId >= 0) return;
    statuses.set(url, statusCode);
    wake();
  };
  webRequest.onErrorOccurred.addListener(failed, filter);
  webRequest.onCompleted.addListener(completed, { ...filter, types: ['sub_frame'] });
  if (engine === 'firefox') {
    webRequest.onSendHeaders.addListener(sent, filter);
    webRequest.onHeadersReceived.addListener(answered, filter);
  }

  /** What `look` finds, now or once an event has come. */
  async function soon<T>(look: () => T | null): Promise<T | null> {
    const end = Date.now() + EVENT_WAIT_MS;
    for (;;) {
      const found = look();
      const left = end - Date.now();
      if (found !== null || left <= 0) return found;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  return {
    observed: async (url, start, end) =>
      engine === 'firefox' ? soon(() => log.match({ ...PLACE, url }, { start, end }).observed) : null,
    async errorOf(url) {
      const code = await soon(() => errors.get(url) ?? null);
      errors.delete(url);
      return code ?? 'other';
    },
    async endOf(url) {
      const end = await soon(() => {
        const [status = null, error = null] = [statuses.get(url), errors.get(url)];
        return status === null && error === null ? null : { status, error };
      });
      statuses.delete(url);
      errors.delete(url);
      return end ?? { status: null, error: 'other' };
    },
    stop() {
      webRequest.onCompleted.removeListener(completed);
      webRequest.onErrorOccurred.removeListener(failed);
      webRequest.onSendHeaders.removeListener(sent);
      webRequest.onHeadersReceived.removeListener(answered);
    },
  };
}

/** Firefox tells what its TLS library says as a sentence in the user's language; everything else is a code. */
function codeOf(error: string): string {
  return /^[\w:]+$/.test(error) ? error : 'TLS_OR_CERTIFICATE';
}
