import { execFile, spawn, spawnSync } from 'node:child_process';
import { chown, copyFile, cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../collector/temporary-folder.ts';

const run = promisify(execFile);
const TOOLS = ['buildah', 'debootstrap', 'runc', 'umoci'];
const MISSING = TOOLS.filter((tool) => spawnSync('which', [tool]).status !== 0);
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const DATA = '/var/lib/lastbyte/data';
const USER = 1000;
const canRun = (MISSING.length === 0 && process.getuid?.() === 0) || process.env.LASTBYTE_TEST_PACKAGES === '1';
const why = canRun ? '' : ` (needs root on Debian, and apt-get install ${TOOLS.join(' ')})`;

interface Mount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options?: readonly string[];
}

/** A stand-in for the official image, which no package registry has: Debian with this Node, npm and the user `node`. */
async function makeBase(root: string): Promise<void> {
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root]);
  await copyFile(process.execPath, join(root, 'usr/local/bin/node'));
  const npm = dirname(dirname(await realpath((await run('which', ['npm'])).stdout.trim())));
  await cp(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  await copyFile(AUTHORITIES, join(root, AUTHORITIES));
  await run('chroot', [root, 'useradd', '--uid', `${USER}`, '--create-home', 'node']);
}

/** The Dockerfile's own steps, from the packed file alone. */
async function buildImage(folder: string) {
  const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
  const buildah = async (...args: string[]) =>
    (await run('buildah', ['--root', join(folder, 'images'), ...args], { env, maxBuffer: 1e8 })).stdout.trim();
  await makeBase(join(folder, 'base'));
  const base = await buildah('from', 'scratch');
  await buildah('copy', base, join(folder, 'base'), '/');
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`, base);
  const dockerfile = await readFile('Dockerfile', 'utf8');
  await buildah('commit', base, `docker.io/library/${/^FROM (\S+)/m.exec(dockerfile)?.[1]}`);
  const context = join(folder, 'context');
  await mkdir(context);
  for (const file of ['Dockerfile', '.dockerignore']) await copyFile(file, join(context, file));
  await run('npm', ['pack', '--pack-destination', context]);
  await buildah('bud', '--pull-never', '--format', 'docker', '--tag', 'lastbyte', context);
  await buildah('push', 'lastbyte', `oci:${folder}/image:lastbyte`);
  await run('umoci', ['unpack', '--image', `${folder}/image:lastbyte`, join(folder, 'bundle')]);
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', 'lastbyte'));
  return { healthCheck: Docker.config.Healthcheck.Test.slice(1) as string[] };
}

/** As packaging/compose/sqlite.yaml has it, on a network of its own that has only loopback. */
async function configure(folder: string): Promise<void> {
  const service = parse(await readFile('packaging/compose/sqlite.yaml', 'utf8')).services.lastbyte;
  const bind = (source: string, destination: string, mode: string): Mount => ({
    ...{ destination, source: join(folder, source), type: 'bind', options: ['bind', mode] },
  });
  const file = join(folder, 'bundle/config.json');
  const config = JSON.parse(await readFile(file, 'utf8'));
  expect(config.process.user).toEqual({ uid: USER, gid: USER });
  expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  config.root.readonly = true;
  Object.assign(config.process, { terminal: false, capabilities: {}, noNewPrivileges: true });
  config.mounts = [
    ...config.mounts.filter(({ destination, type }: Mount) => destination !== DATA && type !== 'cgroup'),
    ...service.tmpfs.map((destination: string) => ({ destination, type: 'tmpfs', source: 'tmpfs' })),
    bind('data', DATA, 'rw'),
    bind('chain.pem', '/run/secrets/tls-cert', 'ro'),
    bind('key.pem', '/run/secrets/tls-key', 'ro'),
  ];
  await writeFile(file, JSON.stringify(config));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=lastbyte.example.com', '-out', join(folder, 'chain.pem')];
  await run('openssl', ['req', '-x509', '-nodes', '-days', '2', ...key, ...subject]);
  await mkdir(join(folder, 'data'));
  for (const name of ['data', 'key.pem']) await chown(join(folder, name), USER, USER);
}

test.skipIf(!canRun)(
  `the image runs without root and without writing to itself, and keeps its data${why}`,
  async () => {
    const folder = await temporaryFolder();
    const { healthCheck } = await buildImage(folder);
    await configure(folder);
    const runc = (...args: string[]) => run('runc', ['--root', join(folder, 'runc'), ...args]);
    onTestFinished(async () => void (await runc('delete', '--force', 'one')));
    const inside = (...args: string[]) => runc('exec', 'one', ...args);
    const tokens = [];
    for (const _start of ['first', 'second']) {
      const bundle = ['run', '--bundle', join(folder, 'bundle'), 'one'];
      const server = spawn('runc', ['--root', join(folder, 'runc'), ...bundle], { stdio: 'ignore' });
      const ended = new Promise((resolve) => server.on('close', resolve));
      await expect.poll(() => inside(...healthCheck).then(() => 'healthy', String)).toBe('healthy');
      await expect(inside('touch', '/opt/lastbyte/new')).rejects.toThrow('Read-only file system');
      tokens.push((await inside('lastbyte', 'token', 'list')).stdout);
      await runc('kill', 'one', 'TERM');
      expect(await ended).toBe(0);
    }
    expect(tokens[0]).toContain('admin');
    expect(tokens[1]).toBe(tokens[0]);
  },
  900_000,
);
