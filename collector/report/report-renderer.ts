import { Worker } from 'node:worker_threads';
import { FairQueue } from '../fair-queue.ts';
import type { Watch } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { renderReport } from './render/render-report.ts';
import type { Format, Report } from './report-document.ts';

/** A thread that nobody has asked anything for so long is ended: it holds the fonts and the charts' code, ms. */
const IDLE_MS = 60_000;
/** Only so many reports may wait for the thread: each is held in memory. */
const MAX_WAITING = 20;
/** Of these, half may be one token's. */
export const MAX_OWN_WAITING = MAX_WAITING / 2;
/** Drawn and set, which takes seconds; the others are written in a moment. */
const HEAVY: readonly Format[] = ['html', 'pdf'];

const ENDED = 'the thread that makes reports has ended';

/** Makes bytes of reports without stopping whatever else the process does. */
export interface ReportRenderer {
  /** Tokens take turns. Throws a StoreError `store_busy` where too many wait, or the signal's reason if it is aborted by then. */
  render(report: Report, format: Format, watch?: Pick<Watch, 'signal' | 'token'>): Promise<Buffer>;
  close(): Promise<void>;
}

/** What the thread answers; it is asked one after the other. */
export type RenderAnswer = { readonly bytes: Uint8Array } | { readonly error: string };

/** @param script the built render-thread.ts; null renders in the calling thread, as commands and tests do */
export function createReportRenderer(script: URL | null): ReportRenderer {
  const queue = new FairQueue<string>(1);
  let worker: Worker | null = null;
  let current: { resolve(bytes: Buffer): void; reject(error: unknown): void } | null = null;
  let idle: NodeJS.Timeout | null = null;

  function start(url: URL): Worker {
    const started = new Worker(url);
    started.on('message', (answer: RenderAnswer) => {
      if ('bytes' in answer) current?.resolve(Buffer.from(answer.bytes));
      else current?.reject(new Error(answer.error));
    });
    const gone = (error: unknown) => {
      // One that was ended has lost nothing, and by now the next may be at work.
      if (worker !== started) return;
      worker = null;
      current?.reject(error);
    };
    started.on('error', gone);
    started.on('exit', () => gone(new Error(ENDED)));
    return started;
  }

  async function inThread(url: URL, report: Report, format: Format): Promise<Buffer> {
    if (idle !== null) clearTimeout(idle);
    worker ??= start(url);
    const own = worker;
    own.ref();
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        current = { resolve, reject };
        // The numbers themselves are for JSON only.
        own.postMessage({ report: { ...report, data: {} }, format });
      });
    } finally {
      current = null;
      own.unref();
      idle = setTimeout(() => void end(), IDLE_MS);
      idle.unref();
    }
  }

  async function end(): Promise<void> {
    if (idle !== null) clearTimeout(idle);
    const ended = worker;
    worker = null;
    queue.giveUp(new Error(ENDED));
    current?.reject(new Error(ENDED));
    await ended?.terminate();
  }

  return {
    async render(report, format, { signal, token } = {}) {
      if (script === null || !HEAVY.includes(format)) return renderReport(report, format);
      const tooManyOwn = token !== undefined && queue.waitingOf(token) >= MAX_OWN_WAITING;
      if (queue.waiting >= MAX_WAITING || tooManyOwn) {
        throw new StoreError('store_busy', 'too many reports are being made', 'Try again in a moment.');
      }
      return queue.run(token ?? '', () => inThread(script, report, format), signal);
    },
    close: end,
  };
}
