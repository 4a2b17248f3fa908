import { parentPort } from 'node:worker_threads';
import { renderSource } from './render-source.ts';
import type { RenderAnswer, RenderRequest } from './report-renderer.ts';

/** Runs in its own thread: one report at a time, in the order of requests. */
let before: Promise<void> = Promise.resolve();

parentPort?.on('message', (request: RenderRequest) => {
  before = before.then(async () => {
    parentPort?.postMessage(await answerTo(request));
  });
});

async function answerTo({ source, as }: RenderRequest): Promise<RenderAnswer> {
  try {
    return { rendered: await renderSource(source, as) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
