import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** Debian keeps the server's programs out of the path. */
const DEBIAN = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root; this user exists on every Unix. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const PASSWORD = 'not & a secret';

/** Of the installed server's programs; null if there is none. */
export const POSTGRES = findPostgres();
/** Appended to the names of tests that need it. */
export const WHY_NOT = POSTGRES === null ? ' (needs PostgreSQL: apt-get install postgresql)' : '';

export interface PostgresServer {
  /** A new database with an address of its own. @param options of CREATE DATABASE */
  createDatabase(options?: string): Promise<string>;
  /** Writes a file that only the server can read, and returns its path. */
  writeSecret(name: string, content: string): Promise<string>;
  /** A connection as an operator has it. */
  connect(address: string): Promise<pg.Client>;
  /** Ends it like a power cut. */
  kill(): Promise<void>;
  /** On the same port, with the same data, unless it runs. @param as a standby follows a server that is not there */
  start(as?: 'standby'): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** A server of its own on a free port. @param settings lines for postgresql.conf */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  if (POSTGRES === null) throw new Error(`no server${WHY_NOT}`);
  const programs = POSTGRES;
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-postgres-'));
  const data = join(folder, 'data');
  const { uid, gid } = UNPRIVILEGED as { uid?: number; gid?: number };
  const own = async (path: string) => {
    if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
    return path;
  };
  await own(folder);
  async function writeSecret(name: string, content: string): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, content, { mode: 0o600 });
    return own(file);
  }
  const passwordFile = await writeSecret('password', PASSWORD);
  const init = ['-D', data, '-U', 'lastbyte', '-E', 'UTF8', '--locale=C', '--auth=scram-sha-256', '--no-sync'];
  await promisify(execFile)(join(programs, 'initdb'), [...init, `--pwfile=${passwordFile}`], UNPRIVILEGED);
  const port = await freePort();
  let server: ChildProcess | null = null;
  let databases = 0;
  const addressOf = (database: string) =>
    `postgres://lastbyte:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;

  async function connect(address: string): Promise<pg.Client> {
    const client = new pg.Client(address);
    // A server that is killed takes it along.
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async function start(as?: 'standby'): Promise<void> {
    if (server !== null) return;
    const standby = join(data, 'standby.signal');
    if (as === 'standby') await writeFile(standby, '').then(() => own(standby));
    else await rm(standby, { force: true });
    const always = [
      'fsync=off',
      `unix_socket_directories=${folder}`,
      'listen_addresses=127.0.0.1',
      'max_connections=50',
    ];
    const options = [...always, ...settings].flatMap((setting) => ['-c', setting]);
    const child = spawn(join(programs, 'postgres'), ['-D', data, '-p', `${port}`, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...UNPRIVILEGED,
    });
    server = child;
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const ended = once(child, 'close').then(() => null);
    while (!/ready to accept (read-only )?connections/.test(said)) {
      const next = await Promise.race([once(child.stderr, 'data'), ended]);
      if (next === null) throw new Error(`postgres ended: ${said}`);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server === null) return;
    const ended = once(server, 'close');
    server.kill(signal);
    await ended;
    server = null;
  }

  await start();
  return {
    async createDatabase(options = '') {
      const name = `d${++databases}`;
      const client = await connect(addressOf('postgres'));
      await client.query(`CREATE DATABASE ${name} ${options}`);
      await client.end();
      return addressOf(name);
    },
    writeSecret,
    connect,
    // Immediate shutdown: its processes end without finishing anything, and it recovers from its log when started again.
    kill: () => end('SIGQUIT'),
    start,
    async remove() {
      await end('SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function findPostgres(): string | null {
  const versions = listed(DEBIAN).sort((a, b) => Number(b) - Number(a));
  const folders = [...(process.env.PATH ?? '').split(':'), ...versions.map((version) => join(DEBIAN, version, 'bin'))];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name)))) ?? null;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
