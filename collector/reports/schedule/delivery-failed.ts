import { CommandFailure } from '../../lib/failure.ts';
import { OutgoingFailure } from '../../outgoing/outgoing-failure.ts';
import { QueryError } from '../../questions/query-string.ts';
import { StoreError } from '../../storage/store-error.ts';

/** Why a report could not be delivered, in words that hold no secret. */
export class DeliveryFailed extends Error {}

/** What may be shown of an error: never an address or a password, which may be in it. */
export function failureText(error: unknown): string {
  if (error instanceof DeliveryFailed) return error.message;
  if (error instanceof OutgoingFailure) return error.text;
  if (error instanceof StoreError || error instanceof QueryError || error instanceof CommandFailure) {
    return `${error.message}. ${error.hint}`;
  }
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time';
  return 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
}
