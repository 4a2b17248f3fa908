import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';
import { BATCH_ROWS, generateBatches, SEED } from './generate-samples.ts';
import { HONEST_SITE, type HonestBatch } from './honest-browsers.ts';

const EVERYTHING = { from: 0, to: 8e15 };

export interface Kept {
  /** Acknowledged and not there. */
  readonly missing: number;
  /** Samples of honest browsers whose configured target was folded. */
  readonly foldedTargets: number;
  /** The same of hosts. */
  readonly foldedHosts: number;
  /** Whatever else is wrong with the folder, in words. */
  readonly faults: readonly string[];
}

/** Looks for all that was acknowledged, with the server ended: in the store, and by the commands that people have. */
export async function verifyKept(folder: string, batches: readonly HonestBatch[]): Promise<Kept> {
  const acknowledged = batches.filter(({ storedAt }) => storedAt !== null);
  const faults: string[] = [];
  const store = await openStore({ folder, as: 'command' });
  const found = await inspect(store, acknowledged)
    .catch((error: unknown) => {
      faults.push(`what is stored cannot be read: ${String(error)}`);
      return { missing: acknowledged.length, foldedTargets: 0, foldedHosts: 0, samples: Number.NaN };
    })
    .finally(() => store.close());
  const expected = acknowledged.reduce((sum, { rejectedRows }) => sum + BATCH_ROWS - rejectedRows, 0);
  // One that was not acknowledged may be stored all the same: it has been sent.
  const most = expected + (batches.length - acknowledged.length) * BATCH_ROWS;
  if (found.samples < expected || found.samples > most) {
    faults.push(`${expected} honest samples acknowledged, ${found.samples} stored`);
  }
  faults.push(...(await command('check', '--data', folder)));
  const client = acknowledged[0]?.client;
  if (client !== undefined) faults.push(...(await command('erase', '--client', client, '--data', folder)));
  const { missing, foldedTargets, foldedHosts } = found;
  return { missing, foldedTargets, foldedHosts, faults };
}

async function inspect(store: Store, acknowledged: readonly HonestBatch[]) {
  const filters = { site: [HONEST_SITE] };
  const { cells } = await store.samples.aggregate({ range: EVERYTHING, filters, by: ['target', 'host'] });
  const folded = (which: 'target' | 'host') =>
    cells.reduce((sum, { key, samples }) => sum + (key[which] === OVERFLOW_NAME ? samples : 0), 0);
  // One by one: a rollup may still know of samples that are gone.
  let samples = 0;
  for await (const { n } of store.samples.scanColumns({ range: EVERYTHING, filters })) samples += n;
  const [template] = generateBatches(BATCH_ROWS, SEED, Date.now() - 1000, 1000);
  const decoded = decodeBatch(template, Date.now());
  if (!decoded.ok) throw new Error(decoded.message);
  const { origin, clockCorrection } = decoded;
  // A batch without rows stores nothing, and says whether its id is known.
  const empty = acknowledged.map(({ id }) => ({
    id,
    receivedAt: Date.now(),
    clockCorrection,
    origin,
    columns: { ...decoded.columns, n: 0 },
  }));
  const missing = (await store.samples.append(empty)).filter(({ duplicate }) => !duplicate).length;
  return { missing, foldedTargets: folded('target'), foldedHosts: folded('host'), samples };
}

/** What a command of the built Lastbyte complains of; empty where it succeeds. */
async function command(...args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, ['dist/lastbyte.mjs', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], out, said] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return code === 0 ? [] : [`lastbyte ${args[0]} ended with ${code}: ${`${out}${said}`.trim().slice(0, 300)}`];
}
