export const OUTGOING_CODES = ['address_refused', 'secret_refused', 'secret_missing'] as const;
type OutgoingCode = (typeof OUTGOING_CODES)[number];

/** Why nothing was sent. The message may name a host or a reference, but never a full address or a secret. */
export class OutgoingFailure extends Error {
  readonly code: OutgoingCode;
  readonly hint: string;

  constructor(code: OutgoingCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }

  /** For delivery failures: begins with the code, so that scripts and people can look it up. */
  get text(): string {
    return `${this.code}: ${this.message}. ${this.hint}`;
  }
}
