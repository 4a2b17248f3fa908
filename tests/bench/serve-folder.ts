import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The built command: what users run. */
const COMMAND = 'dist/lastbyte.mjs';
const STARTED = /http:\/\/127\.0\.0\.1:\d+/;

/** `lastbyte serve` on a data folder and a free port; throws where it ends instead of listening. */
export async function serveFolder(folder: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--port', '0', '--data', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await urlOf(child);
  return {
    url,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function urlOf(child: ChildProcess): Promise<string> {
  let printed = '';
  const { stdout } = child;
  if (stdout === null) throw new Error('The server has no output.');
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${code} instead of listening.`);
  });
  const started = new Promise<string>((resolve) => {
    stdout.on('data', (data) => {
      printed += data;
      const [url] = STARTED.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  try {
    return await Promise.race([started, ended]);
  } finally {
    ended.catch(() => {});
  }
}
