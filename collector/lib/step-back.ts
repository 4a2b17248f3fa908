import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Of 19: about a quarter of a core stays with it while everybody else is busy. */
const NICE = 5;

/**
 * Lets every other thread of the server go first where there are not cores enough: who takes batches, writes them, or
 * answers what is quickly answered. Linux gives each thread a priority of its own; elsewhere one would slow down all.
 */
export function stepBack(): void {
  if (process.platform !== 'linux') return;
  // `PID/task/TID`: https://man7.org/linux/man-pages/man5/proc_thread-self.5.html
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(thread, NICE);
}
