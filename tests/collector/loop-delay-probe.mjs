/**
 * Loaded into a server (`node --import`) whose parent asks, by messages, for the longest time its event loop was held up
 * since the last answer, ms.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 10;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('message', () => {
    // What held up the loop before this message is counted at the next tick of the monitor.
    setTimeout(() => {
      process.send?.(Math.max(0, delay.max / 1e6 - RESOLUTION_MS));
      delay.reset();
    }, 2 * RESOLUTION_MS);
  });
  process.channel?.unref();
}
