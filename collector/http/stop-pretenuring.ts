import { setFlagsFromString } from 'node:v8';

/**
 * Whatever survives its first collections, V8 makes old from birth later on. Requests that wait for a commit survive, so in
 * nearly every other process the list of an answer's listeners came to be made old: garbage that the collector of young
 * objects takes to be alive, and with it each request and answer, until the next full collection. It copied 2 MB each
 * time instead of 0.2, and the event loop took a quarter more of a processor. Nothing here gains by what is stopped.
 *
 * For all threads of the process; before there is a load, since what was decided stays.
 */
export function stopPretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
