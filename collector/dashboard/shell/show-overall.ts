import { UnreachableError } from '../api/api-error.ts';
import { asApiError } from '../api/describe-error.ts';
import type { Readings } from '../readings/readings.ts';
import { replaceKeepingFocus } from '../render/keep-focus.ts';
import { type Freshness, statusLine } from './status-line.ts';

/** Writes into the head of the page how old it is, and why it is no younger. */
export function showOverall(region: HTMLElement, readings: Readings, now: () => number): void {
  const { loading, oldest, failed, error } = readings.overall();
  if (oldest === null && !loading) {
    region.replaceChildren();
    return;
  }
  const freshness: Freshness =
    failed && oldest !== null
      ? staleness(error, oldest)
      : loading || oldest === null
        ? { kind: 'loading' }
        : { kind: 'fresh', at: oldest };
  replaceKeepingFocus(
    region,
    statusLine(freshness, now(), () => readings.refresh('all')),
  );
}

function staleness(error: unknown, at: number): Freshness {
  if (error instanceof UnreachableError) return { kind: 'unreachable', at };
  return { kind: 'failed', at, code: asApiError(error).code };
}
