/** Thrown by `untilAborted`; never seen by a person. */
export class Aborted extends Error {}

/**
 * Settles as `work` does, or throws Aborted as soon as the signal aborts. A driver's promise may stay open for ever
 * when its browser is closed meanwhile, so nobody who wants to stop can wait for it.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw new Aborted();
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(new Aborted());
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
