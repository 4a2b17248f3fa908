import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Out of 19: the thread keeps about a quarter of a core while all others are busy. */
const NICE = 5;

/**
 * Gives every other thread of the server precedence if there are not enough cores: those that receive or write batches, or
 * answer quick queries. Only Linux has priorities per thread; elsewhere this would slow down the whole process.
 */
export function stepBack(): void {
  if (process.platform !== 'linux') return;
  // `PID/task/TID`: https://man7.org/linux/man-pages/man5/proc_thread-self.5.html
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  try {
    setPriority(thread, NICE);
  } catch {
    // A hardened service or container may forbid it. Queries are still answered, but compete with everything else.
  }
}
