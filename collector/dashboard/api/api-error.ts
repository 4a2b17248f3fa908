/** The collector answered, and the answer is an error: its code, message and hint as they came. */
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

/** Nobody answered: the collector is down or the network is away. */
export class UnreachableError extends Error {
  constructor() {
    super('The collector does not answer.');
    this.name = 'UnreachableError';
  }
}
