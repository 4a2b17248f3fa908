import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type Packet, readPacket } from './packet.ts';
import { type Lookup, startSlowResolver } from './slow-resolver.ts';

/** Under it the servers listen, and the clients come from it. */
const NEAR = '10.77.0.1';
/** What every name below `.test` resolves to: it lies beyond the path. */
const FAR = '10.77.0.2';
const DEVICE = 'path0';
/** Set in the process that stands inside the namespace. */
const INSIDE = 'LASTBYTE_PATH_INSIDE';

export interface NetworkPath {
  readonly packets: readonly Packet[];
  readonly lookups: readonly Lookup[];
  close(): Promise<void>;
}

/** Why there can be no path here, in words; null where there can. */
export function whyNoPath(): string | null {
  if (process.platform !== 'linux') return 'not Linux';
  if (process.getuid?.() !== 0) return 'not root';
  try {
    accessSync('/dev/net/tun');
  } catch {
    return 'no /dev/net/tun';
  }
  for (const [program, ...args] of [
    ['ip', '-V'],
    ['unshare', '--version'],
    ['python3', '--version'],
  ] as const) {
    try {
      execFileSync(program, args, { stdio: 'ignore' });
    } catch {
      return `no ${program}`;
    }
  }
  return null;
}

export function isInside(): boolean {
  return process.env[INSIDE] !== undefined;
}

/** Runs a Node script in a network of its own, which ends with it; resolves with what it printed. */
export async function runInside(script: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(
    'unshare',
    ['--net', '--mount', '--fork', '--kill-child', '--', process.execPath, script, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env, [INSIDE]: '1' } },
  );
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return printed;
}

/** Inside only: nothing leads out of this network but the path, and the path leads back in. */
export async function layPath(reflector: string, roundTripMs: number, lookupMs: number): Promise<NetworkPath> {
  if (!isInside()) throw new Error('The path would change the network of this machine.');
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  ip('link', 'set', 'lo', 'up');
  ip('tuntap', 'add', 'dev', DEVICE, 'mode', 'tun');
  ip('addr', 'add', `${NEAR}/24`, 'dev', DEVICE);
  ip('link', 'set', DEVICE, 'up');
  const file = join(tmpdir(), `lastbyte-resolv-${process.pid}.conf`);
  await writeFile(file, 'nameserver 127.0.0.1\n');
  execFileSync('mount', ['--bind', file, '/etc/resolv.conf']);
  const resolver = await startSlowResolver(FAR, lookupMs);
  const packets: Packet[] = [];
  const witness = spawn('python3', [reflector, DEVICE, String(roundTripMs)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = new Promise<void>((resolve) => witness.on('exit', () => resolve()));
  const lines = createInterface(witness.stdout);
  await new Promise<void>((resolve, reject) => {
    witness.on('exit', () => reject(new Error('The reflector ended.')));
    lines.on('line', (line) => (line === 'ready' ? resolve() : packets.push(readPacket(line))));
  });
  return {
    packets,
    lookups: resolver.lookups,
    async close() {
      witness.stdin.end();
      await gone;
      await resolver.close();
    },
  };
}
