/** Data, and nothing else, on standard output. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** Human-readable output of a command. */
export function printLines(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Everything else, on standard error. */
export function note(...lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}
