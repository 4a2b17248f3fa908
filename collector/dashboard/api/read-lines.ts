/** The collector's type of an answer with its progress: one JSON value a line. */
export const PROGRESS_TYPE = 'application/x-ndjson';

/** Part that is done, 0…1. */
export type ReportProgress = (progress: number) => void;

/** The last line of an answer, as it was sent. */
type LastLine = { readonly answer: unknown } | { readonly error: unknown };

/**
 * Reads `{"progress":0…1}` lines and the one that ends them. Null where the answer broke off before that: the collector
 * went away. What reading throws (the abort, a lost connection) is thrown on.
 */
export async function readLines(body: ReadableStream<Uint8Array>, report: ReportProgress): Promise<LastLine | null> {
  let last: LastLine | null = null;
  const take = (line: string) => {
    if (line === '') return;
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return;
    if ('answer' in value || 'error' in value) last = value as LastLine;
    else if ('progress' in value && typeof value.progress === 'number') report(value.progress);
  };
  // An answer is one long line: its pieces are joined once, not with each new one.
  let pieces: string[] = [];
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    const [first = '', ...more] = decoder.decode(value, { stream: !done }).split('\n');
    pieces.push(first);
    for (const next of more) {
      take(pieces.join(''));
      pieces = [next];
    }
    // Nothing comes after it: the connection need not be closed first.
    if (last !== null) void reader.cancel().catch(() => undefined);
    if (done || last !== null) break;
  }
  if (last === null) take(pieces.join(''));
  return last;
}
