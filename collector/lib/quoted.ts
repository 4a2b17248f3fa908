/** A path for a command line, in quotes if it needs them. */
export function quoted(path: string): string {
  return /^[\w./:\\-]+$/.test(path) ? path : `"${path}"`;
}
