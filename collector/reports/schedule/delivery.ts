import { CommandFailure } from '../../lib/failure.ts';
import { DeliveryFailed } from '../../outgoing/delivery-failed.ts';
import { OutgoingFailure } from '../../outgoing/outgoing-failure.ts';
import { QueryError } from '../../questions/query-string.ts';
import { StoreError } from '../../storage/store-error.ts';
import type { Format } from '../document/report-document.ts';

/** A report as it is delivered. */
export interface ReportFile {
  readonly name: string;
  readonly format: Format;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** The part of an error that may be shown: never an address or a password, both of which the message may contain. */
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
