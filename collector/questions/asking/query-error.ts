export type QueryCode = 'unknown_parameter' | 'invalid_parameter' | 'invalid_time' | 'invalid_range';

/** A question that can't be asked like this; the same for HTTP and the command. */
export class QueryError extends Error {
  readonly code: QueryCode;
  readonly hint: string;
  constructor(code: QueryCode, message: string, hint: string) {
    super(message);
    this.name = 'QueryError';
    this.code = code;
    this.hint = hint;
  }
}
