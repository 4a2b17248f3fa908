const WIDTH = 30;
/** Redraw interval, ms. */
const REDRAW_MS = 100;

export interface ProgressBar {
  /** @param share 0 to 1 */
  show(share: number, text: string): void;
  clear(): void;
}

/** A progress line on standard error if that is a terminal. Own code: packages for it are many times this size. */
export function progressBar(stream: NodeJS.WriteStream = process.stderr): ProgressBar {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    show(share, text) {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const done = Math.round(WIDTH * Math.min(1, Math.max(0, share)));
      stream.write(`\r\u001B[K[${'#'.repeat(done)}${' '.repeat(WIDTH - done)}] ${text}`);
    },
    clear: () => {
      stream.write('\r\u001B[K');
    },
  };
}
