import { execFile, spawn, spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const run = promisify(execFile);
const TOOLS = ['debootstrap', 'lintian', 'nfpm', 'objdump', 'rpm', 'runc', 'systemd-analyze'];
const MISSING = TOOLS.filter((tool) => spawnSync('which', [tool]).status !== 0);
// With this variable a missing tool is a failure instead of a skip.
const canRun = (MISSING.length === 0 && process.getuid?.() === 0) || process.env.LASTBYTE_TEST_PACKAGES === '1';
const why = canRun ? '' : ` (needs root on Debian, and ${TOOLS.join(', ')})`;
const DATA = '/var/lib/lastbyte';
const UNIT = 'packaging/system/lastbyte.service';
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
  const limit = `--threshold=${10 * MAX_EXPOSURE}`;
  await run('systemd-analyze', ['security', '--offline=true', limit, UNIT]);
  const { stdout } = await run('dpkg-deb', ['--info', deb, 'conffiles']);
  expect(stdout.trim()).toBe('/etc/default/lastbyte');
  const settings = (await readFile('packaging/system/default', 'utf8'))
    .split('\n')
    .filter((line) => /^[^#]/.test(line));
  expect(settings).toEqual(['OPTIONS="--port 8642"']);
});

test.skipIf(!canRun)(`it asks for the C libraries that its programs need${why}`, async () => {
  const tree = join(folder, 'tree');
  await run('dpkg-deb', ['-x', deb, tree]);
  const { stdout: files } = await run('find', [tree, '-name', '*.node', '-o', '-path', '*/usr/lib/lastbyte/node']);
  const found = files.trim().split('\n').slice(0, 20);
  expect(found.length).toBeGreaterThan(1);
  const { stdout } = await run('objdump', ['-T', ...found], { maxBuffer: 1e8 });
  const needed = [...stdout.matchAll(/\(GLIBC_2\.(\d+)\)/g)].map(([, minor]) => Number(minor));
  const { stdout: depends } = await run('dpkg-deb', ['--field', deb, 'Depends']);
  expect(depends).toContain(`libc6 (>= 2.${Math.max(...needed)})`);
  // GCC 11, says https://gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html.
  const cxx = [...stdout.matchAll(/\(GLIBCXX_3\.4\.(\d+)\)/g)].map(([, minor]) => Number(minor));
  expect([Math.max(...cxx), depends]).toEqual([29, expect.stringContaining('libstdc++6 (>= 11)')]);
});

/** The system calls that the unit allows (systemd.exec(5), SystemCallFilter=). */
async function allowedCalls(): Promise<string[]> {
  const expand = async (name: string): Promise<string[]> => {
    if (!name.startsWith('@')) return [name];
    const { stdout } = await run('systemd-analyze', ['syscall-filter', name]);
    const members = stdout.split('\n').flatMap((line) => line.match(/^ {4}([@\w-]+)$/)?.[1] ?? []);
    return (await Promise.all(members.map(expand))).flat();
  };
  const allowed = new Set<string>();
  for (const [, not, names = ''] of (await readFile(UNIT, 'utf8')).matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    const calls = (await Promise.all(names.split(' ').map(expand))).flat();
    for (const call of calls) not === '~' ? allowed.delete(call) : allowed.add(call);
  }
  return [...allowed];
}

/** The installed collector under the unit's filter, on this machine's network. */
async function serveFiltered(root: string) {
  const bundle = join(folder, 'bundle');
  await mkdir(bundle);
  await run('runc', ['spec', '--bundle', bundle]);
  const file = join(bundle, 'config.json');
  const config = JSON.parse(await readFile(file, 'utf8'));
  const [, uid, gid] = /^lastbyte:.*?:(\d+):(\d+):/m.exec(await readFile(join(root, 'etc/passwd'), 'utf8')) ?? [];
  config.root = { path: root };
  Object.assign(config.process, {
    ...{ terminal: false, args: ['lastbyte', 'serve', '--port', '0', '--data', DATA], noNewPrivileges: true },
    ...{ user: { uid: Number(uid), gid: Number(gid) }, capabilities: {} },
  });
  config.mounts = config.mounts.filter(({ type }: { type: string }) => type !== 'cgroup');
  config.linux.namespaces = config.linux.namespaces.filter(({ type }: { type: string }) => type !== 'network');
  const syscalls = [{ names: await allowedCalls(), action: 'SCMP_ACT_ALLOW' }];
  config.linux.seccomp = { defaultAction: 'SCMP_ACT_ERRNO', architectures: ['SCMP_ARCH_X86_64'], syscalls };
  await writeFile(file, JSON.stringify(config));
  return spawn('runc', ['--root', join(folder, 'runc'), 'run', '--bundle', bundle, 'lastbyte-test']);
}

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
    await run('debootstrap', ['--variant=minbase', '--include=adduser,libstdc++6,systemd', 'bookworm', root], {
      maxBuffer: 1e8,
    });
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
    const inside = (...args: string[]) => run('chroot', [root, ...args], { env });
    const asUser = ['--userspec=lastbyte:lastbyte', root, '/usr/bin/lastbyte'];
    const lastbyte = async (...args: string[]) => (await run('chroot', [...asUser, ...args, '--data', DATA])).stdout;
    await copyFile(deb, join(root, 'first.deb'));
    expect((await inside('dpkg', '-i', '/first.deb')).stderr).toContain('systemctl enable --now lastbyte');
    const admin = ['token', 'create', '--role', 'admin', '--label', 'first', '--create', '--json'];
    const { token } = JSON.parse(await lastbyte(...admin));
    const tokens = await lastbyte('token', 'list');
    expect(tokens).toContain('first');

    const server = await serveFiltered(root);
    const origin = await new Promise<string>((resolve, reject) => {
      let text = '';
      server.stdout.on('data', (chunk) => {
        text += chunk;
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
      server.stderr.on('data', (chunk) => {
        text += chunk;
      });
      server.on('exit', () => reject(new Error(text)));
    });
    // A report asks in a thread of lower priority.
    const headers = { authorization: `Bearer ${token}` };
    const report = await fetch(`${origin}/api/v1/report?view=summary&format=pdf`, { headers });
    expect([report.status, (await report.text()).slice(0, 5)]).toEqual([200, '%PDF-']);
    const ended = new Promise((resolve) => server.on('close', resolve));
    await run('runc', ['--root', join(folder, 'runc'), 'kill', 'lastbyte-test', 'TERM']);
    expect(await ended).toBe(0);
    await inside('systemctl', 'enable', 'lastbyte');

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
    // Under systemd the package's prerm does it.
    await inside('systemctl', 'disable', 'lastbyte');
    await inside('dpkg', '-r', 'lastbyte');
    expect(await readdir(join(root, 'usr/lib'))).not.toContain('lastbyte');
    expect(await data()).toEqual(kept);
    expect((await inside('dpkg', '-i', '/next.deb')).stderr).toContain('systemctl enable --now lastbyte');
    await inside('dpkg', '-P', 'lastbyte');
    expect(await data()).toEqual(kept);
    await inside('dpkg', '-i', '/next.deb');
    await inside('sh', '-c', 'echo lastbyte lastbyte/delete-data boolean true | debconf-set-selections');
    await inside('dpkg', '-P', 'lastbyte');
    expect(await data()).toEqual([]);
  },
  900_000,
);
