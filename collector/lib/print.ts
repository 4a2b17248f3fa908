/** Data, alone on standard output. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** What a command gives people when no JSON was asked for. */
export function printLines(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Everything that is not data. */
export function note(...lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}
