import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../collector/http/server.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const tellsQueues = spawnSync('ss', ['-V']).status === 0;

// One client that opens more connections at once than fit makes the others wait for a retransmission, 200 ms or more.
test.skipIf(!tellsQueues)('as many connections may wait to be accepted as the kernel allows', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const deps = { store, clock: Date.now, version: '9.9.9', dashboardFolder: null, loopbackOnly: true };
  const server = await startServer(
    { ...deps, trustProxy: false, tls: null, log: null },
    { host: 'localhost', port: 0 },
  );
  onTestFinished(async () => {
    await server.close();
    await store.close();
  });
  const allowed = Math.min(4096, Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')));
  const listening = execFileSync('ss', ['-ltnH', 'sport', '=', `:${new URL(server.url).port}`], { encoding: 'utf8' });
  const queues = listening
    .trim()
    .split('\n')
    .map((line) => Number(line.split(/\s+/)[2]));
  expect(queues.length).toBeGreaterThan(0);
  expect(new Set(queues)).toEqual(new Set([allowed]));
});
