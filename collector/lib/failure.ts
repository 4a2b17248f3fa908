/** A command that failed: one line for people, exit code 1. */
export class CommandFailure extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.name = 'CommandFailure';
    this.hint = hint;
  }
}

/** A command that was used wrongly: one line for people, exit code 2. */
export class UsageFailure extends CommandFailure {}
