import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 100;
/** A program nobody uses still takes a tick of 10 ms now and then. */
const IDLE_TICKS = 1;
const IDLE_LOOKS = 2;

/**
 * Resolves once these processes and all that they started take no processor time any more; rejects where they never do.
 * Linux only, as `/proc` is.
 */
export async function untilIdle(roots: readonly number[], giveUpMs: number): Promise<void> {
  const end = Date.now() + giveUpMs;
  let before = await ticksOf(roots);
  for (let looks = 0; looks < IDLE_LOOKS; ) {
    if (Date.now() > end) throw new Error(`waited ${giveUpMs / 1000} s in vain: the processes are idle`);
    await sleep(LOOK_MS);
    const now = await ticksOf(roots);
    // Less than before: a process has ended, and it has just been at work.
    looks = now >= before && now - before <= IDLE_TICKS ? looks + 1 : 0;
    before = now;
  }
}

/** Processor time of the processes and their descendants, user and system, in ticks of 10 ms. */
async function ticksOf(roots: readonly number[]): Promise<number> {
  const processes = new Map<number, { readonly parent: number; readonly ticks: number }>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null); // it has ended since
    if (stat) processes.set(Number(name), fieldsOf(stat));
  }
  const found = new Set(roots);
  // A child may be listed before its parent: numbers begin anew some day.
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [id, { parent }] of processes) if (found.has(parent)) found.add(id);
  }
  return [...found].reduce((sum, id) => sum + (processes.get(id)?.ticks ?? 0), 0);
}

/** The name stands in brackets and may hold anything: what counts comes after the last of them. proc_pid_stat(5) */
function fieldsOf(stat: string): { readonly parent: number; readonly ticks: number } {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0] = fields.slice(11);
  return { parent, ticks: user + system };
}
