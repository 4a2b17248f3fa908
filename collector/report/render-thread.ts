import { parentPort } from 'node:worker_threads';
import { renderReport } from './render/render-report.ts';
import type { Format, Report } from './report-document.ts';
import type { RenderAnswer } from './report-renderer.ts';

/** Runs in a thread of its own: one report after the other, in the order they come. */
let before: Promise<void> = Promise.resolve();

parentPort?.on('message', ({ report, format }: { report: Report; format: Format }) => {
  before = before.then(async () => {
    parentPort?.postMessage(await answerTo(report, format));
  });
});

async function answerTo(report: Report, format: Format): Promise<RenderAnswer> {
  try {
    return { bytes: await renderReport(report, format) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
