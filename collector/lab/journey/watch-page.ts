import type { CDPSession, Page, Protocol } from 'puppeteer-core';
import { PageActivityLog } from '../../../shared/journeys/page-activity-log.ts';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';

/** @param breaks called when the page opens what a user would have to answer; a file chooser is not shown */
export async function watchPage(
  page: Page,
  engine: BrowserEngine,
  breaks: (reason: 'file_chooser' | 'window_opened', detail?: string) => void,
): Promise<PageActivityLog> {
  const log = new PageActivityLog();
  page.on('load', () => log.loaded(Date.now()));
  page.on('pageerror', () => log.consoleErrors++);
  page.on('console', (message) => {
    if (message.type() === 'error') log.consoleErrors++;
  });
  if (engine === 'firefox') {
    page.on('popup', (popup) => breaks('window_opened', popup?.url()));
    await watchBidi(page, log, () => breaks('file_chooser'));
    return log;
  }
  const session = await page.createCDPSession();
  await watchSession(session, log, true);
  session.on('Page.windowOpen', ({ url }) => breaks('window_opened', url));
  session.on('Page.fileChooserOpened', () => breaks('file_chooser'));
  await session.send('Page.enable');
  await session.send('Page.setInterceptFileChooserDialog', { enabled: true });
  return log;
}

/** Types of the protocol → `initiatorType` of Resource Timing. */
const INITIATORS: Readonly<Record<string, string>> = {
  Document: 'iframe',
  Stylesheet: 'css',
  Script: 'script',
  Image: 'img',
  Font: 'css',
  Media: 'video',
  XHR: 'xmlhttprequest',
  Fetch: 'fetch',
  Ping: 'beacon',
  EventSource: 'eventsource',
};
const NEVER_HOLDS = ['EventSource', 'Ping', 'Prefetch', 'Media', 'Manifest', 'CSPViolationReport'];

/** https://chromedevtools.github.io/devtools-protocol/tot/Network/ */
async function watchSession(session: CDPSession, log: PageActivityLog, isPage: boolean): Promise<void> {
  // Its times are of a clock of its own; every request tells the epoch time too.
  let offset = 0;
  const epoch = (seconds: number) => seconds * 1000 + offset;
  const mainFrame = isPage ? (await session.send('Page.getFrameTree')).frameTree.frame.id : '';
  const answered = (requestId: string, answer: Protocol.Network.Response) => {
    const { status, connectionId, fromDiskCache: cached = false, timing, mimeType, protocol = '' } = answer;
    const base = epoch(timing?.requestTime ?? 0);
    const at = (ms: number) => (ms < 0 ? 0 : base + ms);
    const stamps = timing && {
      domainLookupStart: at(timing.dnsStart),
      domainLookupEnd: at(timing.dnsEnd),
      connectStart: at(timing.connectStart),
      secureConnectionStart: at(timing.sslStart),
      connectEnd: at(timing.connectEnd),
      requestStart: at(timing.sendStart),
      responseStart: at(timing.receiveHeadersStart ?? timing.receiveHeadersEnd),
      protocol,
      contentType: mimeType,
    };
    // Chromium calls a connection reused too that it had opened ahead for this request.
    const opened = !cached && log.isNewConnection(connectionId);
    log.note(requestId, { status, cached, opened, stamps: stamps ?? null });
  };
  session.on(
    'Network.requestWillBeSent',
    ({ requestId, request, type, timestamp, wallTime, frameId, redirectResponse, initiator }) => {
      offset = (wallTime - timestamp) * 1000;
      if (redirectResponse !== undefined) {
        answered(requestId, redirectResponse);
        log.finish(requestId, epoch(timestamp), { bytes: redirectResponse.encodedDataLength });
      }
      // The browser requests the favicon by itself; no action causes it.
      if (type === 'Other' && initiator.type === 'other') return;
      log.begin(requestId, epoch(timestamp), {
        url: request.url,
        method: request.method,
        isDocument: type === 'Document' && frameId === mainFrame,
        holds: !NEVER_HOLDS.includes(type ?? ''),
        byScript: type === 'XHR' || type === 'Fetch',
        initiatorType: INITIATORS[type ?? ''] ?? '',
      });
    },
  );
  session.on('Network.responseReceived', ({ requestId, response }) => {
    answered(requestId, response);
    if (response.mimeType === 'text/event-stream') log.note(requestId, { holds: false });
  });
  session.on('Network.requestServedFromCache', ({ requestId }) => log.note(requestId, { cached: true }));
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
    log.finish(requestId, epoch(timestamp), { bytes: encodedDataLength }),
  );
  session.on('Network.loadingFailed', ({ requestId, timestamp, errorText }) =>
    log.finish(requestId, epoch(timestamp), { error: errorText }),
  );
  // Frames of other sites have a session of their own.
  session.on('sessionattached', (child) => void watchSession(child, log, false).catch(() => {}));
  await session.send('Network.enable');
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
}

/** https://www.w3.org/TR/webdriver-bidi/#module-network, as far as the driver's own types leave it out. */
interface BidiEvent {
  readonly context: string | null;
  readonly navigation: string | null;
  readonly redirectCount: number;
  readonly timestamp: number;
  readonly errorText?: string;
  readonly request: {
    readonly request: string;
    readonly url: string;
    readonly method: string;
    readonly destination: string;
    readonly initiatorType: string | null;
    readonly timings: Readonly<Record<BidiStamp, number>>;
  };
  readonly response?: {
    readonly status: number;
    readonly fromCache: boolean;
    readonly bytesReceived: number;
    readonly mimeType: string;
    readonly protocol: string;
  };
}
type BidiStamp = `${'dns' | 'connect'}${'Start' | 'End'}` | `${'tls' | 'request' | 'response'}Start` | 'responseEnd';
interface BidiConnection {
  on(event: string, listener: (event: BidiEvent) => void): void;
  send(method: string, parameters: object): Promise<unknown>;
}

async function watchBidi(page: Page, log: PageActivityLog, onFileChooser: () => void): Promise<void> {
  const { connection } = page.browser() as unknown as { connection: BidiConnection };
  const { _id: main } = page.mainFrame() as unknown as { _id: string };
  // The hops of a redirected request share its id.
  const id = ({ request, redirectCount }: BidiEvent) => `${request.request} ${redirectCount}`;
  connection.on('input.fileDialogOpened', onFileChooser);
  // A file that is saved is no page, so none will load.
  connection.on('browsingContext.downloadWillBegin', ({ context }) => context === main && log.loaded(Date.now()));
  connection.on('network.beforeRequestSent', (event) => {
    const { url, method, destination, initiatorType } = event.request;
    if (destination === 'image' && initiatorType === null) return;
    log.begin(id(event), event.timestamp, {
      url,
      method,
      isDocument: event.navigation !== null && event.context === main,
      holds: !['beacon', 'eventsource', 'prefetch', 'video', 'audio'].includes(initiatorType ?? ''),
      byScript: initiatorType === 'fetch' || initiatorType === 'xmlhttprequest',
      initiatorType: initiatorType ?? (destination === 'iframe' ? 'iframe' : ''),
    });
  });
  connection.on('network.responseStarted', (event) => {
    if (event.response?.mimeType.startsWith('text/event-stream')) log.note(id(event), { holds: false });
  });
  connection.on('network.responseCompleted', (event) => {
    const { dnsStart, dnsEnd, tlsStart, responseEnd, ...same } = event.request.timings;
    const { status = null, fromCache: cached = false, bytesReceived: bytes = 0 } = event.response ?? {};
    const { protocol = '', mimeType: contentType = '' } = event.response ?? {};
    const named = { domainLookupStart: dnsStart, domainLookupEnd: dnsEnd, secureConnectionStart: tlsStart };
    const stamps = { ...same, ...named, protocol, contentType };
    log.note(id(event), { status, cached, opened: same.connectEnd > 0 && !cached, stamps });
    log.finish(id(event), responseEnd > 0 ? responseEnd : event.timestamp, { bytes });
  });
  connection.on('network.fetchError', (event) =>
    log.finish(id(event), event.timestamp, { error: event.errorText ?? 'failed' }),
  );
  // The driver then answers that there is no password, where Firefox would ask for one.
  await connection.send('network.addIntercept', { phases: ['authRequired'], contexts: [main] });
}
