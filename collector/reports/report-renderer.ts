import { FairQueue } from '../lib/fair-queue.ts';
import { createThreadRunner } from '../lib/worker-pool.ts';
import type { RequestOptions } from '../storage/store.ts';
import { answerTooLarge, StoreError } from '../storage/store-error.ts';
import type { ReportSource } from './document/report-request.ts';
import type { RenderedAs } from './render/render-report.ts';
import { type RenderedReport, renderSource } from './render-source.ts';

/** An idle thread ends after this time (ms), since it holds the fonts and the charts' code. */
const IDLE_MS = 60_000;
/** A report that needs more is refused. Includes the fonts and the charts' code. */
const HEAP_MB = 256;
/** Reports that may wait for the thread, as each is held in memory. */
const MAX_WAITING = 20;
/** A single token may use half of these. */
export const MAX_OWN_WAITING = MAX_WAITING / 2;
/** Drawing and typesetting take seconds: the other formats, written in a moment, do not wait for them. */
const DRAWN: readonly RenderedAs[] = ['html', 'pdf'];

const ENDED = 'the thread that makes reports has ended';

/** Turns answers into reports without blocking the process. */
export interface ReportRenderer {
  /**
   * Tokens take turns. Throws a StoreError `store_busy` if too many are waiting, or the signal's reason if it aborts
   * while this report waits.
   */
  render(
    source: ReportSource,
    as: RenderedAs,
    watch?: Pick<RequestOptions, 'signal' | 'token'>,
  ): Promise<RenderedReport>;
  close(): Promise<void>;
}

/** The jobs of render-thread.ts. */
export interface RenderJobs {
  render(source: ReportSource, as: RenderedAs): Promise<RenderedReport>;
}

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
  const thread = createThreadRunner<RenderJobs>(script, {
    data: null,
    heapMb: () => HEAP_MB,
    idleMs: IDLE_MS,
    errors: {
      failed: (stack) => new Error(stack),
      cancelled: () => new Error(ENDED),
      ended: (cause) => answerTooLarge(cause) ?? (cause instanceof Error ? cause : new Error(ENDED)),
    },
  });
  return {
    async render(source, as, { signal, token } = {}) {
      const tooManyOwn = token !== undefined && queue.waitingOf(token) >= MAX_OWN_WAITING;
      if (queue.waiting >= MAX_WAITING || tooManyOwn) {
        throw new StoreError('store_busy', 'too many reports are being made', 'Try again in a moment.');
      }
      return queue.run(token ?? '', async () => withBuffer(await thread.run('render', [source, as])), signal);
    },
    async close() {
      queue.giveUp(new Error(ENDED));
      await thread.close();
    },
  };
}
