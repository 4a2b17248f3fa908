import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const COMMAND = 'dist/lastbyte.mjs';
const PRELOAD = './tests/bench/hostile-preload.mjs';
const LOOK_MS = 50;
/** Beyond this the server is killed: the bench must not take its machine down. */
const MAX_RSS_BYTES = 3 * 2 ** 30;
/** How long a loop may take to tell its delays before it counts as frozen, ms. */
const ANSWER_MS = 5_000;
const STOP_MS = 15_000;
const TICKS_PER_SECOND = 100;

export interface MeasuredServer {
  readonly url: string;
  readonly adminToken: string;
  /** Largest resident size up to now, bytes, as the kernel counted it. */
  peakRss(): number;
  /** Largest size of the data folder while it ran, bytes. */
  peakDisk(): number;
  cpuSeconds(): Promise<number>;
  /** How late the event loop was every 10 ms since this was last asked, ms; null where it does not even answer. */
  loopDelays(): Promise<readonly number[] | null>;
  moveClock(aheadMs: number): void;
  /** What it said in its log that only an operator can put right. */
  complaints(): readonly string[];
  /** Why it no longer runs; null while it does. */
  ended(): string | null;
  /** Ends it, by force where it does not follow. */
  stop(): Promise<void>;
}

/** `lastbyte serve` as users run it, watched from outside through /proc: Linux only. */
export async function serveMeasured(folder: string, env: Readonly<Record<string, string>>): Promise<MeasuredServer> {
  const args = ['--import', PRELOAD, COMMAND, 'serve', '--port', '0', '--data', folder];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...env },
  });
  const { pid, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null) throw new Error('The server has no process.');
  let [printed, said, why, stopping] = ['', '', null as string | null, false];
  stderr.on('data', (data) => {
    said += data;
  });
  // It may end between a look and a word to it.
  child.on('error', () => {});
  let over = false;
  const gone = once(child, 'exit').then(([code, signal]) => {
    if (!stopping) why ??= `ended with ${signal ?? code}`;
    over = true;
  });
  const listening = new Promise<void>((resolve) => {
    stdout.on('data', (data) => {
      printed += data;
      if (/lb_admin_\S+\s/.test(printed)) resolve();
    });
  });
  await Promise.race([listening, gone]);
  if (why !== null) throw new Error(`The server ${why} instead of listening: ${said}`);

  let [rss, disk] = [0, 0];
  const watching = (async () => {
    for (let look = 0; !over; look++) {
      rss = Math.max(rss, await peakRssOf(pid));
      if (rss > MAX_RSS_BYTES && why === null) {
        why = `took more than ${MAX_RSS_BYTES / 2 ** 30} GiB and was killed`;
        child.kill('SIGKILL');
      }
      if (look % 10 === 0) disk = Math.max(disk, await folderBytes(folder));
      await after(LOOK_MS);
    }
  })();

  return {
    url: /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '',
    adminToken: /lb_admin_\S+/.exec(printed)?.[0] ?? '',
    peakRss: () => rss,
    peakDisk: () => disk,
    cpuSeconds: () => cpuSecondsOf(pid),
    loopDelays: () => (why === null ? askDelays(child) : Promise.resolve(null)),
    moveClock: (aheadMs) => child.send({ ask: 'clock', aheadMs }),
    complaints: () => said.split('\n').filter((line) => /^lastbyte: |"level":[56]0/.test(line)),
    ended: () => why,
    async stop() {
      if (why === null) {
        stopping = true;
        child.kill('SIGTERM');
        const followed = await Promise.race([gone.then(() => true), after(STOP_MS, false)]);
        if (!followed) {
          why = `did not end within ${STOP_MS / 1000} s`;
          child.kill('SIGKILL');
        }
      }
      await gone;
      await watching;
    },
  };
}

async function askDelays(child: ChildProcess): Promise<readonly number[] | null> {
  const given = once(child, 'message').then(([{ delays }]) => delays as number[]);
  child.send({ ask: 'delays' });
  const answer = await Promise.race([given, after(ANSWER_MS, null)]);
  if (answer === null) given.catch(() => {}); // it may come once the loop runs again, and nobody reads it
  return answer;
}

/** Bytes in a folder, those below included. A file may go while it is looked at: logs come and go. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** VmHWM of proc_pid_status(5): the kernel misses no peak between two looks. 0 once the process is gone. */
async function peakRssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** User and system time of all its threads. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND;
}
