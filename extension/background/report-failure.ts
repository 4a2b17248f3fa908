/** For work nobody waits for. The next event tries again; the browser's own extension console shows what it was. */
export function reportFailure(work: Promise<unknown>): void {
  work.catch((error: unknown) => console.error(error));
}
