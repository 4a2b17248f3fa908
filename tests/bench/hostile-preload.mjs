// @ts-check
/**
 * Loaded into the measured server with `--import`, its worker threads included. Measures how late the main thread's event
 * loop runs, and moves the clock of the whole process when the bench says so.
 */
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const EVERY_MS = 10;

const clock = new BroadcastChannel('lastbyte-bench-clock');
clock.unref();
let offset = 0;
const RealDate = Date;
const realNow = Date.now;
const now = () => realNow() + offset;
Date.now = now;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
});
// A worker's: its loop turns between two jobs, and so does its clock.
clock.onmessage = (/** @type {any} */ { data }) => {
  offset = data;
};

if (isMainThread && process.send) {
  /** @type {number[]} */
  let delays = [];
  let due = performance.now() + EVERY_MS;
  const look = () => {
    const at = performance.now();
    // A loop that stood still for a second kept a hundred looks waiting, not one.
    for (let delay = Math.max(0, at - due); ; delay -= EVERY_MS) {
      delays.push(delay);
      if (delay < EVERY_MS) break;
    }
    due = at + EVERY_MS;
    setTimeout(look, EVERY_MS).unref();
  };
  setTimeout(look, EVERY_MS).unref();
  process.on('message', (/** @type {any} */ message) => {
    if (message.ask === 'delays') {
      process.send?.({ delays });
      delays = [];
    }
    if (message.ask === 'clock') {
      offset += message.aheadMs;
      clock.postMessage(offset);
    }
  });
  // The bench ends the server by a signal; until then nothing here keeps it alive.
  process.channel?.unref();
}
