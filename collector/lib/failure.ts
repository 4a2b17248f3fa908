import { QueryError } from '../questions/asking/query-error.ts';
import { StoreError } from '../storage/store-error.ts';

/** A command that could not do its work: one line for people, exit code 1. */
export class CommandFailure extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.name = 'CommandFailure';
    this.hint = hint;
  }
}

/** A command that was asked wrongly: one line for people, exit code 2. */
export class UsageFailure extends CommandFailure {}

/** One line without a stack for what people can put right; null for a defect of ours. */
export function explain(error: unknown): string | null {
  if (error instanceof StoreError && error.code === 'store_failed') return null;
  if (error instanceof CommandFailure || error instanceof StoreError || error instanceof QueryError) {
    return `lastbyte: ${error.message}. ${error.hint}`;
  }
  return null;
}

export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof UsageFailure || error instanceof QueryError ? 2 : 1;
}
