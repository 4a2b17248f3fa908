/** The content type of an answer with progress: one JSON value per line. */
export const PROGRESS_TYPE = 'application/x-ndjson';

/** Fraction done, 0…1. */
export type ReportProgress = (progress: number) => void;

/** The last line of an answer. */
type LastLine = { readonly answer: unknown } | { readonly error: unknown };

/**
 * Reads `{"progress":0…1}` lines and the line that ends them. Null if the stream ends before that: the collector
 * stopped. Errors while reading (an abort, a lost connection) are passed on.
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
  // The answer is one long line: join its pieces once, not after each read.
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
    // It is the last line: do not wait until the connection closes.
    if (last !== null) void reader.cancel().catch(() => undefined);
    if (done || last !== null) break;
  }
  if (last === null) take(pieces.join(''));
  return last;
}
