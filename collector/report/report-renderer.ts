import { Worker } from 'node:worker_threads';
import { createFairLine } from '../fair-line.ts';
import type { Watch } from '../store/store.ts';
import type { ReportSource } from './gather-report.ts';
import type { RenderedAs } from './render/render-report.ts';
import { type RenderedReport, renderSource } from './render-source.ts';

/** A thread that is idle for so long is ended: it holds the fonts and the charts' code, ms. */
const IDLE_MS = 60_000;
/** Only so many reports may wait for the thread: each is held in memory. */
const MAX_WAITING = 20;
/** Of these, so many may be one token's. */
export const MAX_WAITING_PER_TOKEN = 10;
/** Drawn and set, which takes seconds: the others, written in a moment, don't wait for these. */
const DRAWN: readonly RenderedAs[] = ['html', 'pdf'];

const ENDED = 'the thread that makes reports has ended';

/** Turns answers into reports without stopping whatever else the process does. */
export interface ReportRenderer {
  /** Tokens take turns. Throws ReportsBusy where too many wait, or the signal's reason once it is aborted. */
  render(source: ReportSource, as: RenderedAs, watch?: Pick<Watch, 'signal' | 'token'>): Promise<RenderedReport>;
  close(): Promise<void>;
}

/** Too many reports are being made. */
export class ReportsBusy extends Error {}

export interface RenderRequest {
  readonly source: ReportSource;
  readonly as: RenderedAs;
}

interface Waiting extends RenderRequest {
  resolve(rendered: RenderedReport): void;
  reject(error: unknown): void;
}

/** What the thread answers; it is asked one after the other. */
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

/** Buffers arrive from a thread as mere Uint8Arrays. */
function withBuffer(rendered: RenderedReport): RenderedReport {
  const { buffer, byteOffset, byteLength } = rendered.bytes;
  return { ...rendered, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}

/** One after the other, in a thread that is started with the first. */
function createRenderThread(script: URL): ReportRenderer {
  let worker: Worker | null = null;
  let current: Waiting | null = null;
  const line = createFairLine<string, Waiting>();
  let idle: NodeJS.Timeout | null = null;

  function thread(): Worker {
    if (worker !== null) return worker;
    const started = new Worker(script);
    started.on('message', (answer: RenderAnswer) => {
      if ('rendered' in answer) current?.resolve(withBuffer(answer.rendered));
      else current?.reject(new Error(answer.error));
      current = null;
      next();
    });
    const gone = (error: unknown) => {
      // One that was ended has lost nothing, and by now the next may be at work.
      if (worker !== started) return;
      worker = null;
      failAll(error);
    };
    started.on('error', gone);
    started.on('exit', () => gone(new Error(ENDED)));
    worker = started;
    return started;
  }

  function failAll(error: unknown): void {
    const lost = [...(current === null ? [] : [current]), ...line.empty()];
    current = null;
    for (const one of lost) one.reject(error);
  }

  /** Hands the thread what is next, if it has nothing to do. */
  function next(): void {
    if (current !== null) return;
    current = line.shift() ?? null;
    if (current === null) {
      rest();
      return;
    }
    if (idle !== null) clearTimeout(idle);
    const own = thread();
    own.ref();
    own.postMessage({ source: current.source, as: current.as } satisfies RenderRequest);
  }

  function rest(): void {
    worker?.unref();
    idle = setTimeout(() => void end(), IDLE_MS);
    idle.unref();
  }

  async function end(): Promise<void> {
    if (idle !== null) clearTimeout(idle);
    const ended = worker;
    worker = null;
    failAll(new Error(ENDED));
    await ended?.terminate();
  }

  return {
    async render(source, as, { signal, token } = {}) {
      signal?.throwIfAborted();
      const key = token ?? '';
      const tooManyOwn = token !== undefined && line.waiting(key) >= MAX_WAITING_PER_TOKEN;
      if (line.size >= MAX_WAITING || tooManyOwn) throw new ReportsBusy('too many reports are being made');
      return new Promise((resolve, reject) => {
        const leave = () => {
          line.remove(key, waiting);
          reject(signal?.reason);
        };
        const left = () => signal?.removeEventListener('abort', leave);
        const waiting: Waiting = {
          source,
          as,
          resolve(rendered) {
            left();
            resolve(rendered);
          },
          reject(error) {
            left();
            reject(error);
          },
        };
        signal?.addEventListener('abort', leave, { once: true });
        line.push(key, waiting);
        next();
      });
    },
    close: end,
  };
}
