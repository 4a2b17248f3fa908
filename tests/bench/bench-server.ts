import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerKind, ServerStarted, ServerUsage } from './ingest-server.ts';

/** A server of ingest-server.ts in its own process, with a data folder of its own. */
export interface BenchServer extends ServerStarted {
  usage(): Promise<ServerUsage>;
  /** Resolves once all rollups cover all samples. */
  finish(): Promise<void>;
  stop(): Promise<void>;
}

export async function startBenchServer(kind: ServerKind): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
  const child = fork(fileURLToPath(new URL('./ingest-server.mjs', import.meta.url)), [kind, folder]);
  const started = await answerOf<ServerStarted>(child);
  const ask = <T>(question: string): Promise<T> => {
    const answer = answerOf<T>(child);
    child.send(question);
    return answer;
  };
  return {
    ...started,
    usage: () => ask<ServerUsage>('usage'),
    async finish() {
      await ask('finish');
    },
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [answer] = (await once(child, 'message')) as [T];
  return answer;
}
