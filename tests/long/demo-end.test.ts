import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDemoFolder, startLastbyte } from '../browser/demo-process.ts';
import { ENGINES } from '../browser/fixture/engines.ts';

let folder: Awaited<ReturnType<typeof createDemoFolder>>;
beforeEach(async () => {
  folder = await createDemoFolder();
});
afterEach(() => folder.remove());

describe.each(ENGINES)('lastbyte demo in %s, stopped', (engine) => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s shows the dashboard till then, and takes everything with it',
    async (signal) => {
      const args = ['demo', '--browser', engine, '--data', folder.data];
      const demo = startLastbyte(args, { TMPDIR: folder.temporary });
      const [, origin, token] = await demo.said(/Dashboard: (http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)/);
      await demo.said(/Browsing the target apps/);
      const page = await fetch(`${origin}/`);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toContain('text/html');
      const session = await fetch(`${origin}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      });
      expect(session.status).toBe(200);
      expect(await folder.leftovers()).not.toEqual([]);

      demo.child.kill(signal);
      const { code, stdout, stderr } = await demo.ended;
      expect(code).toBe(1);
      expect(stderr.trim().split('\n').at(-1)).toMatch(/^lastbyte: stopped before the first round was complete/);
      expect(stdout).toBe('');
      expect(await folder.leftovers()).toEqual([]);
      await expect(fetch(`${origin}/`)).rejects.toThrow();
    },
  );
});

describe('lastbyte demo says in one line why it cannot start', () => {
  async function refused(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, stdout, stderr } = await startLastbyte(['demo', '--once', ...args], {
      TMPDIR: folder.temporary,
      ...env,
    }).ended;
    expect(code, stderr).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(await folder.leftovers()).toEqual([]);
    return stderr;
  }

  it('where the named browser is none', async () => {
    const env = { LASTBYTE_CHROMIUM: '/nowhere/chromium' };
    expect(await refused(['--browser', 'chromium'], env)).toMatch(/LASTBYTE_CHROMIUM names \/nowhere\/chromium/);
  });

  it('where the port is in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await refused(['--port', String(port), '--data', folder.data])).toMatch(`port ${port} is in use`);
    server.close();
  });

  it('where the data folder cannot be made', async () => {
    const file = join(folder.root, 'file');
    await writeFile(file, '');
    expect(await refused(['--data', join(file, 'data')])).toContain(file);
  });
});
