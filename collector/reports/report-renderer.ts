import { Worker } from 'node:worker_threads';
import { FairQueue } from '../lib/fair-queue.ts';
import type { RequestOptions } from '../storage/store.ts';
import { answerTooLarge, StoreError } from '../storage/store-error.ts';
import type { ReportSource } from './document/report-request.ts';
import type { RenderedAs } from './render/render-report.ts';
import { type RenderedReport, renderSource } from './render-source.ts';

/** An idle thread ends after this time, as it holds the fonts and the charts' code, ms. */
const IDLE_MS = 60_000;
/** A report that needs more is refused; includes fonts and the charts' code. */
const HEAP_MB = 256;
/** Reports that may wait for the thread, as each is held in memory. */
const MAX_WAITING = 20;
/** Half of these may belong to one token. */
export const MAX_OWN_WAITING = MAX_WAITING / 2;
/** Drawing and typesetting take seconds: the other formats, written in a moment, do not wait for these. */
const DRAWN: readonly RenderedAs[] = ['html', 'pdf'];

const ENDED = 'the thread that makes reports has ended';

/** Turns answers into reports without blocking the process. */
export interface ReportRenderer {
  /** Tokens take turns. Throws a StoreError `store_busy` where too many wait, or the signal's reason if it is aborted by then. */
  render(
    source: ReportSource,
    as: RenderedAs,
    watch?: Pick<RequestOptions, 'signal' | 'token'>,
  ): Promise<RenderedReport>;
  close(): Promise<void>;
}

export interface RenderRequest {
  readonly source: ReportSource;
  readonly as: RenderedAs;
}

/** The thread's answer; requests are sent one at a time. */
export type RenderAnswer = { readonly rendered: RenderedReport } | { readonly error: string };

/** @param script the built render-thread.ts; null renders in the calling thread, as commands and tests do */
export function createReportRenderer(script: URL | null): ReportRenderer {
  if (script === null) return { render: renderSource, close: async () => {} };
  const [drawn, written] = [createRenderThread(script), createRenderThread(script)];
  return {
    render: (source, as, watch) => (DRAWN.includes(as) ? drawn : written).render(source, as, watch),
    async close() {
      await Promise.all([drawn.close(), written.close()]);
    },
  };
}

/** Buffers arrive from a thread as plain Uint8Arrays. */
function withBuffer(rendered: RenderedReport): RenderedReport {
  const { buffer, byteOffset, byteLength } = rendered.bytes;
  return { ...rendered, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}

/** One report at a time, in a thread that starts with the first. */
function createRenderThread(script: URL): ReportRenderer {
  const queue = new FairQueue<string>(1);
  let worker: Worker | null = null;
  let current: { resolve(rendered: RenderedReport): void; reject(error: unknown): void } | null = null;
  let idle: NodeJS.Timeout | null = null;

  function start(): Worker {
    const started = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    started.on('message', (answer: RenderAnswer) => {
      if ('rendered' in answer) current?.resolve(withBuffer(answer.rendered));
      else current?.reject(new Error(answer.error));
    });
    const gone = (error: unknown) => {
      // A thread ended on purpose lost nothing, and its successor may already be working.
      if (worker !== started) return;
      worker = null;
      current?.reject(answerTooLarge(error) ?? error);
    };
    started.on('error', gone);
    started.on('exit', () => gone(new Error(ENDED)));
    return started;
  }

  async function inThread(request: RenderRequest): Promise<RenderedReport> {
    if (idle !== null) clearTimeout(idle);
    worker ??= start();
    const own = worker;
    own.ref();
    try {
      return await new Promise<RenderedReport>((resolve, reject) => {
        current = { resolve, reject };
        own.postMessage(request);
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
    async render(source, as, { signal, token } = {}) {
      const tooManyOwn = token !== undefined && queue.waitingOf(token) >= MAX_OWN_WAITING;
      if (queue.waiting >= MAX_WAITING || tooManyOwn) {
        throw new StoreError('store_busy', 'too many reports are being made', 'Try again in a moment.');
      }
      return queue.run(token ?? '', () => inThread({ source, as }), signal);
    },
    close: end,
  };
}
