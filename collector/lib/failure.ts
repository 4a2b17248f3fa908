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
