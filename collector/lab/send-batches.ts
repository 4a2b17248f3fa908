import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ClientInfo, Sample } from '../../shared/sample/sample.ts';
import { MAX_ROWS } from '../../shared/vocabulary/wire-limits.ts';
import type { ProbeRun } from '../../shared/wire/browser-status.ts';
import { batchId, encodeBatch } from '../../shared/wire/encode-batch.ts';
import type { BatchAnswer, WireBatch } from '../../shared/wire/wire-batch.ts';

const TIMEOUT_MS = 20_000;
const NONE = { waiting: 0, dropped: {}, rejected: {}, lost: {} };

export interface Collector {
  readonly collector: string;
  /** An ingest key. */
  readonly key: string;
}

/**
 * Sends samples, and the runs that they are of, as a browser does; without runs, they are no browser's. Resolves to null, or to the collector's code for what it did not
 * take.
 */
export async function sendBatches(
  to: Collector,
  origin: ClientInfo,
  samples: readonly Sample[],
  turns: readonly ProbeRun[] | null = null,
): Promise<string | null> {
  for (let from = 0; from === 0 || from < samples.length; from += MAX_ROWS) {
    const now = Date.now();
    const status = turns && { state: 'collecting' as const, ...NONE, turns: from === 0 ? turns : [] };
    const rows = samples.slice(from, from + MAX_ROWS);
    const batch = encodeBatch(origin, batchId(now, randomUUID()), now, rows, status);
    const refused = await post(batch, to);
    if (refused !== null) return refused;
  }
  return null;
}

/** The collector's code for what it did not take; null if it has taken everything. */
async function post(batch: WireBatch, { collector, key }: Collector): Promise<string | null> {
  const response = await fetch(`${collector}/api/v1/batches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(batch),
    // The key is for this address only.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  if (response === null) return 'unreachable';
  const answer = (await response.json().catch(() => null)) as Answer | null;
  if (response.status !== 200) return answer?.error?.code ?? `http_${response.status}`;
  // Something in between may answer 200 too; only the collector knows the batch's id.
  return answer?.batch === batch.batch ? (answer.rejected?.[0]?.code ?? null) : 'unreadable';
}

type Answer = Partial<BatchAnswer> & { readonly error?: { readonly code?: string } };

/** A UUID of this machine at this site for a month, as a browser has one, from which neither can be told. */
export function machineId(site: string): string {
  const month = new Date().toISOString().slice(0, 7);
  const hex = createHash('sha256')
    .update(JSON.stringify([hostname(), site, month]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
