import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** Event loop, engine, rollup and log: with no more cores than these, whoever helps one of them takes another's place. */
const BUSY_THREADS = 4;

/**
 * Has each thread collect its own young garbage. V8 wakes four helpers for every such collection, and for the buffers it
 * leaves, though some hundred kilobytes survive: many times a second, and under load on two cores a twelfth of the whole
 * server's processor time. Half of that was for nothing. What is old is still marked and swept beside the program.
 *
 * For all threads of the process, those that answer questions too. A container's share of more cores is not seen here.
 */
export function collectAlone(cores = availableParallelism()): void {
  if (cores > BUSY_THREADS) return;
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
}
