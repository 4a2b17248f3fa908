import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const SET_CLOCK = new URL('set-clock.mjs', import.meta.url).href;

/** A built checkout, of today or of any release. */
export interface Release {
  /** Absolute or relative to the current folder. */
  readonly root: string;
  /** Commits before 28 November 2026 need Node 20. */
  readonly node: string;
  /** More environment variables, such as LASTBYTE_CLICKHOUSE_PASSWORD. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface ServedRelease {
  readonly url: string;
  /** From this machine's clock to the server's. */
  readonly aheadMs: number;
  /** Everything it wrote to standard error up to now. */
  readonly said: () => string;
  /** Resolves to the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

function start(release: Release, aheadMs: number, args: readonly string[]) {
  return spawn(release.node, ['--import', SET_CLOCK, join(release.root, 'dist/lastbyte.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...release.variables, LASTBYTE_TEST_CLOCK_AHEAD_MS: String(aheadMs) },
  });
}

/** Runs a command to its end, which has to be a good one. @param now epoch ms, what its clock says */
export async function runRelease(release: Release, now: number, args: readonly string[]): Promise<string> {
  const child = start(release, now - Date.now(), args);
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`lastbyte ${args.join(' ')}: ${code}: ${stdout}${stderr}`);
  return stdout;
}

/** `lastbyte serve` on a free port, listening. @param now epoch ms, what its clock says at the start */
export async function serveRelease(release: Release, now: number, args: readonly string[]): Promise<ServedRelease> {
  const aheadMs = now - Date.now();
  const child: ChildProcess = start(release, aheadMs, ['serve', '--port', '0', ...args]);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let [printed, said] = ['', ''];
  child.stderr?.on('data', (data) => {
    said += data;
  });
  child.stdout?.on('data', (data) => {
    printed += data;
  });
  for (;;) {
    const url = /Lastbyte collects at (\S+),/.exec(printed)?.[1];
    if (url !== undefined) {
      const end = (signal: NodeJS.Signals = 'SIGTERM') => {
        child.kill(signal);
        return ended;
      };
      return { url, aheadMs, said: () => said, end };
    }
    const up = child.stdout === null ? Promise.resolve() : once(child.stdout, 'data');
    const early = await Promise.race([up.then(() => null), ended.then((code) => `ended with ${code}`)]);
    if (early !== null) throw new Error(`lastbyte serve ${early}: ${printed}${said}`);
  }
}
