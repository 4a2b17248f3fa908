import { CommandFailure } from './failure.ts';

/**
 * Aborts on Ctrl-C, SIGTERM or when the terminal is closed, so that work ends as on any failure and cleans up. A second one ends the
 * process at once.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort(new CommandFailure('stopped before it finished', 'Run it again.'));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, stop);
  return controller.signal;
}

/** Resolves on the first SIGINT or SIGTERM. A second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
