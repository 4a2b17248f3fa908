import type { FastifyError } from 'fastify';
import type { DocumentProblem } from '../../../shared/vocabulary/document-problem.ts';
import { faultSentence } from '../../../shared/vocabulary/explain-mismatch.ts';
import { PLAIN_NAME, PLAIN_TEXT, UNSEEN_FAULT, UNSEEN_HINT } from '../../../shared/vocabulary/plain-text.ts';
import { AdmissionRefusal, type RefusalReason } from '../../ingest/admission/admission.ts';
import { QueryError } from '../../questions/query-string.ts';
import { type StoreCode, StoreError } from '../../storage/store-error.ts';

/** Every error code of the HTTP API and its status. Codes are added, never renamed or reused. */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_gzip: 400,
  invalid_batch: 400,
  unsupported_version: 400,
  invalid_request: 400,
  invalid_text: 400,
  invalid_settings: 400,
  unknown_parameter: 400,
  invalid_parameter: 400,
  invalid_time: 400,
  invalid_range: 400,
  unknown_target: 400,
  invalid_address: 400,
  invalid_key: 400,
  answer_too_large: 400,
  unauthorized: 401,
  forbidden: 403,
  cross_site: 403,
  not_found: 404,
  request_timeout: 408,
  name_taken: 409,
  nothing_to_package: 409,
  not_packaged: 409,
  too_many_views: 409,
  too_many_annotations: 409,
  precondition_failed: 412,
  batch_too_large: 413,
  unsupported_media_type: 415,
  unsupported_encoding: 415,
  wrong_host: 421,
  rate_limited: 429,
  quota_exceeded: 429,
  headers_too_large: 431,
  /** Never sent: the client has closed its connection. */
  cancelled: 499,
  internal_error: 500,
  packaging_failed: 500,
  busy: 503,
  control_unavailable: 503,
  store_unavailable: 503,
  store_corrupt: 503,
  store_full: 507,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

interface HttpErrorExtras {
  readonly retryAfterSeconds?: number;
  readonly problems?: readonly DocumentProblem[];
}

/** Thrown by routes and hooks; the error handler turns it into `{error:{code, message, hint}}`. */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly retryAfterSeconds: number | null;
  readonly problems: readonly DocumentProblem[] | null;
  constructor(code: ErrorCode, message: string, hint: string, extras: HttpErrorExtras = {}) {
    super(message);
    this.name = 'HttpError';
    this.code = code;
    this.hint = hint;
    this.retryAfterSeconds = extras.retryAfterSeconds ?? null;
    this.problems = extras.problems ?? null;
  }

  get statusCode(): number {
    return ERROR_STATUS[this.code];
  }
}

const STORE_RETRY_SECONDS = 5;
const FIELDS_HINT = 'See docs/operations.md for the parameters of this address.';

const CODE_OF_STORE: Readonly<Record<StoreCode, ErrorCode>> = {
  store_full: 'store_full',
  store_busy: 'busy',
  samples_unreachable: 'store_unavailable',
  samples_refused: 'store_unavailable',
  data_folder_unusable: 'store_unavailable',
  data_folder_in_use: 'store_unavailable',
  store_corrupt: 'store_corrupt',
  store_too_new: 'store_unavailable',
  samples_expired: 'invalid_range',
  too_many_samples: 'invalid_range',
  too_many_groups: 'invalid_parameter',
  answer_too_large: 'answer_too_large',
  settings_invalid: 'store_unavailable',
  control_address_invalid: 'control_unavailable',
  control_refused: 'control_unavailable',
  control_unreachable: 'control_unavailable',
  store_failed: 'internal_error',
};

function fromStoreError(error: StoreError): HttpError {
  return new HttpError(CODE_OF_STORE[error.code], error.message, error.hint, {
    retryAfterSeconds: STORE_RETRY_SECONDS,
  });
}

const REFUSED_BECAUSE: Readonly<Record<RefusalReason, string>> = {
  busy: 'the collector is receiving more than it can hold',
  rate_limited: 'too many or too large requests from this address or with this token',
  quota_exceeded: 'this address or key has stored its share of the free disk space for the day',
};

function fromIntakeRefusal({ reason, retryAfterSeconds, isBatch }: AdmissionRefusal): HttpError {
  const hint = isBatch
    ? 'Keep the batch and send it again after Retry-After.'
    : 'Nothing was changed: try again after Retry-After.';
  return new HttpError(reason, REFUSED_BECAUSE[reason], hint, { retryAfterSeconds });
}

/** The first fault that the validator found, in words. */
function fromFaults({ validation, validationContext = 'body' }: FastifyError): HttpError {
  const [fault] = validation ?? [];
  if (fault === undefined) return new HttpError('invalid_request', 'the request is not as described', FIELDS_HINT);
  const field = fault.instancePath.slice(1) || validationContext;
  return fault.keyword === 'pattern' && [PLAIN_TEXT, PLAIN_NAME].includes(String(fault.params.pattern))
    ? new HttpError('invalid_text', `${field} ${UNSEEN_FAULT}, or spaces around it`, UNSEEN_HINT)
    : new HttpError('invalid_request', `${field} ${faultSentence(fault)}`, FIELDS_HINT);
}

/** Errors of Fastify itself, in our codes: https://fastify.dev/docs/latest/Reference/Errors/ */
function fromFastifyError(error: Error & { readonly code?: string; readonly statusCode?: number }): HttpError {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new HttpError(
        'unsupported_media_type',
        'the content-type is not supported',
        'Send content-type: application/json.',
      );
    case 'FST_ERR_VALIDATION':
      return fromFaults(error as FastifyError);
    default:
      return (error.statusCode ?? 500) < 500
        ? new HttpError('invalid_request', 'the request cannot be read', 'Check the address, method and headers.')
        : new HttpError('internal_error', 'the collector failed', 'See its log; if this persists, please report it.');
  }
}

/** Any thrown value as an HttpError. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof StoreError) return fromStoreError(error);
  if (error instanceof AdmissionRefusal) return fromIntakeRefusal(error);
  if (error instanceof QueryError) return new HttpError(error.code, error.message, error.hint);
  return fromFastifyError(error instanceof Error ? error : new Error('a thrown value was not an Error'));
}
