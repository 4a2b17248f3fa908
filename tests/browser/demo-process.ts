import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface EndedProcess {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DemoProcess {
  readonly child: ChildProcess;
  /** Resolves once what it prints matches; rejects where the process ends before that. */
  said(pattern: RegExp): Promise<RegExpMatchArray>;
  readonly ended: Promise<EndedProcess>;
}

/** A folder that goes away with the test; the demo's own temporary files go below `temporary`. */
export async function createDemoFolder() {
  const root = await mkdtemp(join(tmpdir(), 'lastbyte-demo-test-'));
  const temporary = await mkdtemp(join(root, 'tmp-'));
  return {
    data: join(root, 'data'),
    root,
    temporary,
    /** What the demo left in its temporary folder. */
    leftovers: () => readdir(temporary),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** `npm run demo -- …` without npm: the set-up step by the way proves that it adds nothing to standard output. */
export function startLastbyte(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  program = 'collector/setup/bootstrap.mjs',
): DemoProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<EndedProcess>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  function said(pattern: RegExp): Promise<RegExpMatchArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = `${stdout}${stderr}`.match(pattern);
        if (match) resolve(match);
      };
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', look);
      child.on('close', () => reject(new Error(`ended without saying ${pattern}: ${stderr}`)));
      look();
    });
  }
  return { child, said, ended };
}
