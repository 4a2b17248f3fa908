import { CommandFailure } from './failure.ts';

/** Aborted by Ctrl+C or SIGTERM, so that work ends like on any failure and cleans up. A second one ends it at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort(new CommandFailure('stopped before it was done', 'Run it again.'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return controller.signal;
}
