import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/**
 * V8 allocates objects directly in the old generation if earlier ones from the same allocation site survived. Requests
 * waiting for a commit survive, so in nearly every other process the listener list of each response became old at
 * birth: garbage that keeps every request and response alive for the scavenger until the next full collection.
 * Scavenges copied 2 MB instead of 0.2, and the event loop took a quarter more of a core. Nothing here benefits from
 * pretenuring.
 *
 * For all threads of the process, and before any load, since V8 keeps its decisions.
 */
export function stopPretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Event loop, engine, rollups and log: with no more cores than these threads, the GC helpers of one take another's
 * core.
 */
const BUSY_THREADS = 4;

/**
 * Makes each thread scavenge its own garbage. V8 wakes four helpers for every scavenge and for the buffers it frees, though
 * only some hundred kilobytes survive: many times a second, which under load on two cores took a twelfth of the server's
 * CPU time, half of it wasted. The old generation is still marked and swept concurrently.
 *
 * For all threads of the process, including those that answer questions. CPU quotas of containers are not considered.
 */
export function collectAlone(cores = availableParallelism()): void {
  if (cores > BUSY_THREADS) return;
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
}
