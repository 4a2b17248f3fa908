import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';

/** The built command; `npm test` builds it first. */
const COMMAND = 'dist/lastbyte.mjs';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. @param variables beside those of this process */
export async function run(
  args: readonly string[],
  input = '',
  variables: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...variables },
  });
  child.stdin.end(input);
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code: code as number | null, stdout, stderr };
}

/** Runs a command in this process, if it needs neither standard input nor an exit of its own: starting a process takes a second. */
export async function runHere(args: readonly string[]): Promise<Finished> {
  const { runCommand } = await import('../../collector/cli/run-command.ts');
  const printed = { stdout: '', stderr: '' };
  const catchInto = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk: string | Uint8Array, ...rest: unknown[]) => {
      printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const written = rest.at(-1);
      if (typeof written === 'function') written();
      return true;
    });
  const before = process.exitCode;
  process.exitCode = undefined;
  const spies = [catchInto('stdout'), catchInto('stderr')];
  try {
    const code = await runCommand(args);
    return { code: code ?? Number(process.exitCode ?? 0), ...printed };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}

/** Starts a command that the test ends. It is killed after the test if it still runs. */
export function startCommand(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

export interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  /** What it printed up to now. */
  readonly printed: () => string;
  /** What it noted up to now, on standard error. */
  readonly noted: () => string;
  /** Of its first start. */
  readonly adminToken: string | null;
}

/** `lastbyte serve` on a free port, up and listening. It is killed after the test if it still runs. */
export async function serve(folder: string, args: readonly string[] = []): Promise<Served> {
  const { child, up } = spawnServer(folder, args);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return up;
}

/** The same for several tests: whoever starts it ends it. */
export function startServing(folder: string, args: readonly string[] = []): Promise<Served> {
  return spawnServer(folder, args).up;
}

function spawnServer(folder: string, args: readonly string[]): { child: ChildProcess; up: Promise<Served> } {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--port', '0', '--data', folder, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, up: whenUp(child) };
}

async function whenUp(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Served> {
  let printed = '';
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const closed = once(child, 'close');
  while (!/Lastbyte collects at \S+,/.test(printed) || !printed.endsWith('\n')) {
    const next = await Promise.race([once(child.stdout, 'data'), closed.then(() => null)]);
    if (next === null) throw new Error(`serve ended: ${printed}${said}`);
    printed += next[0];
  }
  child.stdout.on('data', (data) => {
    printed += data;
  });
  return {
    child,
    url: /Lastbyte collects at (\S+),/.exec(printed)?.[1] ?? '',
    printed: () => printed,
    noted: () => said,
    adminToken: /lb_admin_\S+/.exec(printed)?.[0] ?? null,
  };
}

/** Sends a signal and waits for the end. */
export async function stop({ child }: Served, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  const closed = once(child, 'close');
  child.kill(signal);
  const [code] = await closed;
  return code as number | null;
}

/** `token create --json`. */
export async function makeKey(
  folder: string,
  role: string,
  options: readonly string[] = [],
): Promise<{ id: string; role: string; token: string }> {
  const { stdout } = await run(['token', 'create', '--role', role, '--data', folder, '--create', '--json', ...options]);
  return JSON.parse(stdout);
}
