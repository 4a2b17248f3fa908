import { t } from '../text/t.ts';

/** An error response of the collector, with its code, message and hint. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;

  constructor(status: number, code: string, message: string, hint: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** No response: the collector is down, or there is no network. */
export class UnreachableError extends Error {
  constructor() {
    super(t.app.errors.unreachable);
    this.name = 'UnreachableError';
  }
}
