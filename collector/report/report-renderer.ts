import { Worker } from 'node:worker_threads';
import { renderReport } from './render/render-report.ts';
import type { Format, Report } from './report-document.ts';

/** A thread that nobody has asked anything for so long is ended: it holds the fonts and the charts' code, ms. */
const IDLE_MS = 60_000;
/** Only so many reports may wait for the thread: each is held in memory. */
const MAX_WAITING = 20;
/** Drawn and set, which takes seconds; the others are written in a moment. */
const HEAVY: readonly Format[] = ['html', 'pdf'];

/** Makes bytes of reports without stopping whatever else the process does. */
export interface ReportRenderer {
  /** Throws ReportsBusy where too many wait. */
  render(report: Report, format: Format): Promise<Buffer>;
  close(): Promise<void>;
}

/** Too many reports are being made. */
export class ReportsBusy extends Error {}

interface Waiting {
  resolve(bytes: Buffer): void;
  reject(error: unknown): void;
}

/** What the thread answers, in the order it was asked. */
export type RenderAnswer = { readonly bytes: Uint8Array } | { readonly error: string };

/** @param script the built render-thread.ts; null renders in the calling thread, as commands and tests do */
export function createReportRenderer(script: URL | null): ReportRenderer {
  let worker: Worker | null = null;
  let waiting: Waiting[] = [];
  let idle: NodeJS.Timeout | null = null;

  function thread(url: URL): Worker {
    if (worker !== null) return worker;
    const started = new Worker(url);
    started.on('message', (answer: RenderAnswer) => {
      const first = waiting.shift();
      if ('bytes' in answer) first?.resolve(Buffer.from(answer.bytes));
      else first?.reject(new Error(answer.error));
      if (waiting.length === 0) rest();
    });
    const gone = (error: unknown) => {
      if (worker === started) worker = null;
      const lost = waiting;
      waiting = [];
      for (const one of lost) one.reject(error);
    };
    started.on('error', gone);
    started.on('exit', () => gone(new Error('the thread that makes reports has ended')));
    worker = started;
    return started;
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
    await ended?.terminate();
  }

  return {
    async render(report, format) {
      if (script === null || !HEAVY.includes(format)) return renderReport(report, format);
      if (waiting.length >= MAX_WAITING) throw new ReportsBusy('too many reports are being made');
      if (idle !== null) clearTimeout(idle);
      const own = thread(script);
      own.ref();
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        // The numbers themselves are for JSON only.
        own.postMessage({ report: { ...report, data: {} }, format });
      });
    },
    close: end,
  };
}
