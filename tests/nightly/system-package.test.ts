import { execFile, spawn, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const run = promisify(execFile);
const TOOLS = ['debootstrap', 'lintian', 'nfpm', 'rpm', 'systemd-analyze'];
const MISSING = TOOLS.filter((tool) => spawnSync('which', [tool]).status !== 0);
const canRun = MISSING.length === 0 && process.getuid?.() === 0;
const why = canRun ? '' : ` (needs root on Debian, and ${TOOLS.join(', ')})`;
const DATA = '/var/lib/lastbyte';
const MAX_MIB = 65;
/** Of 10: what a service that is taken over could do to the machine. */
const MAX_EXPOSURE = 2;

let folder = '';
let deb = '';
beforeAll(async () => {
  if (!canRun) return;
  folder = await mkdtemp(join(tmpdir(), 'lastbyte-system-'));
  await run('node', ['packaging/system/build.mjs', folder], { maxBuffer: 1e8 });
  deb = join(folder, `lastbyte_${manifest.version}_amd64.deb`);
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test.skipIf(!canRun)(`the .deb has no fault that Debian’s checker knows${why}`, async () => {
  const { stdout } = await run('lintian', ['--fail-on', 'error,warning', '--allow-root', deb]);
  expect(stdout).toBe('');
  const { stdout: size } = await run('du', ['-m', deb]);
  expect(Number.parseInt(size, 10)).toBeLessThanOrEqual(MAX_MIB);
});

test.skipIf(!canRun)(`its service may do little, and is no config file${why}`, async () => {
  const unit = 'packaging/system/lastbyte.service';
  const limit = `--threshold=${10 * MAX_EXPOSURE}`;
  await run('systemd-analyze', ['security', '--offline=true', limit, unit]);
  const { stdout } = await run('dpkg-deb', ['--info', deb, 'conffiles']);
  expect(stdout.trim()).toBe('/etc/default/lastbyte');
});

test.skipIf(!canRun)(`the .rpm holds the same files${why}`, async () => {
  const [rpm = ''] = (await readdir(folder)).filter((name) => name.endsWith('.rpm'));
  const { stdout } = await run('rpm', ['-qpl', join(folder, rpm)], { maxBuffer: 1e8 });
  const files = stdout.split('\n');
  for (const file of ['/usr/bin/lastbyte', '/usr/lib/systemd/system/lastbyte.service', '/usr/lib/lastbyte/node']) {
    expect(files).toContain(file);
  }
});

test.skipIf(!canRun)(
  `a fresh Debian installs, runs, upgrades and removes it, and keeps its data until a purge is told otherwise${why}`,
  async () => {
    const root = join(folder, 'debian');
    await run('debootstrap', ['--variant=minbase', '--include=adduser,libstdc++6', 'bookworm', root], {
      maxBuffer: 1e8,
    });
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
    const inside = (...args: string[]) => run('chroot', [root, ...args], { env });
    const asUser = ['--userspec=lastbyte:lastbyte', root, '/usr/bin/lastbyte'];
    const lastbyte = async (...args: string[]) => (await run('chroot', [...asUser, ...args, '--data', DATA])).stdout;
    await copyFile(deb, join(root, 'first.deb'));
    expect((await inside('dpkg', '-i', '/first.deb')).stderr).toContain('systemctl enable --now lastbyte');
    await lastbyte('token', 'create', '--role', 'admin', '--label', 'first', '--create');
    const tokens = await lastbyte('token', 'list');
    expect(tokens).toContain('first');

    const server = spawn('chroot', [...asUser, 'serve', '--port', '0', '--data', DATA]);
    const origin = await new Promise<string>((resolve, reject) => {
      let text = '';
      server.stdout.on('data', (chunk) => {
        text += chunk;
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
      server.on('exit', () => reject(new Error(text)));
    });
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    const ended = new Promise((resolve) => server.on('close', resolve));
    server.kill();
    expect(await ended).toBe(0);

    await run('dpkg-deb', ['-R', deb, join(folder, 'next')]);
    const control = join(folder, 'next/DEBIAN/control');
    await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*/m, 'Version: 999.0.0'));
    await run('dpkg-deb', ['-Znone', '-b', join(folder, 'next'), join(root, 'next.deb')]);
    await writeFile(join(root, 'etc/default/lastbyte'), 'OPTIONS="--port 9000"\n');
    expect((await inside('dpkg', '-i', '/next.deb')).stderr).not.toContain('systemctl enable');
    expect(await lastbyte('token', 'list')).toBe(tokens);
    expect(await readFile(join(root, 'etc/default/lastbyte'), 'utf8')).toContain('9000');

    const data = () => readdir(join(root, DATA)).catch(() => []);
    const kept = await data();
    expect(kept).not.toEqual([]);
    await inside('dpkg', '-r', 'lastbyte');
    expect(await readdir(join(root, 'usr/lib'))).not.toContain('lastbyte');
    expect(await data()).toEqual(kept);
    await inside('dpkg', '-P', 'lastbyte');
    expect(await data()).toEqual(kept);
    await inside('dpkg', '-i', '/next.deb');
    await inside('sh', '-c', 'echo lastbyte lastbyte/delete-data boolean true | debconf-set-selections');
    await inside('dpkg', '-P', 'lastbyte');
    expect(await data()).toEqual([]);
  },
  900_000,
);
