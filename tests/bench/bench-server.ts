import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerKind, ServerStarted, ServerUsage } from './ingest-server.ts';

/** A server of ingest-server.ts in its own process, with a data folder of its own. */
export interface BenchServer extends ServerStarted {
  readonly pid: number;
  usage(): Promise<ServerUsage>;
  /** Resolves once all rollups cover all samples. */
  finish(): Promise<void>;
  /** Samples that are there to be asked for; NaN where the server keeps none. */
  stored(): Promise<number>;
  /** What `lastbyte check` finds wrong. */
  check(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export async function startBenchServer(kind: ServerKind): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
  const { child, started } = await forkBenchServer(kind, folder);
  const ask = <T>(question: string): Promise<T> => {
    const answer = answerOf<T>(child);
    child.send(question);
    return answer;
  };
  if (child.pid === undefined) throw new Error('A bench server answers and has no process.');
  return {
    ...started,
    pid: child.pid,
    usage: () => ask<ServerUsage>('usage'),
    async finish() {
      await ask('finish');
    },
    stored: () => ask<number>('stored'),
    check: () => ask<readonly string[]>('check'),
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The same without anything around it: the folder stays, and so does the process until somebody ends it. */
export async function forkBenchServer(
  kind: ServerKind,
  folder: string,
): Promise<{ readonly child: ChildProcess; readonly started: ServerStarted }> {
  const child = fork(fileURLToPath(new URL('./ingest-server.ts', import.meta.url)), [kind, folder]);
  return { child, started: await answerOf<ServerStarted>(child) };
}

/** Throws where the server ends instead of answering: nothing would come any more. */
async function answerOf<T>(child: ChildProcess): Promise<T> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`A bench server ended with ${code}.`);
  });
  try {
    const [answer] = (await Promise.race([once(child, 'message', { signal }), ended])) as [T];
    return answer;
  } finally {
    ended.catch(() => {});
    waiting.abort();
  }
}
