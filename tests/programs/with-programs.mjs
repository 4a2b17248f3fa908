import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const DEADLINE_MS = 60_000;

/**
 * Runs `check` with a folder of its own and a way to start programs; both are gone when it ends, however it ends. What a
 * program prints is kept in `printed()`, and shown where the check fails.
 */
export async function withPrograms(name, check) {
  const folder = await mkdtemp(join(tmpdir(), `lastbyte-${name}-`));
  const children = [];
  let printed = '';
  const keep = (text) => {
    printed += text;
  };
  const start = (command, args) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    children.push(child);
    return child;
  };
  try {
    await check({ folder, start, printed: () => printed });
  } catch (error) {
    console.error(printed.slice(-2000));
    throw error;
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

/** Asks until the answer is true; what it throws meanwhile is not yet. */
export async function until(done) {
  const end = Date.now() + DEADLINE_MS;
  while (!(await attempt(done))) {
    assert.ok(Date.now() < end, 'it took too long');
    await setTimeout(200);
  }
}

async function attempt(done) {
  try {
    return await done();
  } catch {
    return false;
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
