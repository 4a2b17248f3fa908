import { StoreError } from './store-error.ts';

const MAX_REASON_LENGTH = 200;

/** One line of what went wrong, the cause rather than what was said of it. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof StoreError && error.code === 'store_failed' ? (error.cause ?? error) : error;
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return (text.split('\n')[0] ?? '').slice(0, MAX_REASON_LENGTH);
}
