import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { OutgoingFailure } from '../outgoing/outgoing-failure.ts';
import { QueryError } from '../questions/query-string.ts';
import { StoreError } from '../storage/store-error.ts';

/** One line without a stack for errors that users can fix; null for our own bugs. */
export function explain(error: unknown): string | null {
  if (error instanceof StoreError && error.code === 'store_failed') return null;
  if (
    error instanceof CommandFailure ||
    error instanceof StoreError ||
    error instanceof QueryError ||
    error instanceof OutgoingFailure
  ) {
    return `lastbyte: ${error.message}. ${error.hint}`;
  }
  return null;
}

export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof UsageFailure || error instanceof QueryError ? 2 : 1;
}
