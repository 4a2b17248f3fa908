import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { shorten, toStepOutcomes } from '../../../extension/journey/robot-run.ts';
import { hideValuesIn } from '../../../shared/journeys/run-outcome.ts';
import type { VariableValues } from '../../../shared/journeys/variables.ts';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { MAX_ROWS } from '../../../shared/vocabulary/wire-limits.ts';
import { batchId, encodeBatch } from '../../../shared/wire/encode-batch.ts';
import type { BatchAnswer, WireBatch } from '../../../shared/wire/wire-batch.ts';
import type { JourneyRun } from './run-journey.ts';
import { runSamples } from './run-samples.ts';

const TIMEOUT_MS = 20_000;

export interface RunDestination {
  readonly collector: string;
  /** An ingest key. */
  readonly key: string;
  readonly site: string;
  /** Ids of the journey and of its app. */
  readonly id: string;
  readonly target: string;
}

/** Sends a run and its requests as a robot does. Resolves to null, or to the collector's code for what it did not take. */
export async function sendRun(
  run: JourneyRun,
  engine: BrowserEngine,
  version: string,
  { id, target, site, ...to }: RunDestination,
  values: VariableValues,
): Promise<string | null> {
  const origin = {
    client: machineId(site),
    site,
    browser: engine,
    browserVersion: run.version.split('.')[0] ?? '',
    extensionVersion: version,
    clockStep: 100,
  };
  const steps = toStepOutcomes(run);
  const turn = {
    probe: id,
    target,
    at: run.startedAt,
    skipped: null,
    scenarios: [],
    steps: steps.map(({ reason }) => reason),
    stepTimes: steps.map(({ time }) => time),
    ...(run.broke && { broke: shorten(run.broke) }),
  };
  const none = { waiting: 0, dropped: {}, rejected: {}, lost: {} };
  // An address may have what was typed.
  const samples = runSamples(run, id, target).map((sample) => hideValuesIn(sample, values));
  for (let from = 0; from === 0 || from < samples.length; from += MAX_ROWS) {
    const now = Date.now();
    const status = { state: 'collecting' as const, ...none, turns: from === 0 ? [turn] : [] };
    const rows = samples.slice(from, from + MAX_ROWS);
    const batch = encodeBatch(origin, batchId(now, randomUUID()), now, rows, status);
    const refused = await post(batch, to);
    if (refused !== null) return refused;
  }
  return null;
}

/** The collector's code for what it did not take; null if it has taken everything. */
async function post(
  batch: WireBatch,
  { collector, key }: Pick<RunDestination, 'collector' | 'key'>,
): Promise<string | null> {
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
function machineId(site: string): string {
  const month = new Date().toISOString().slice(0, 7);
  const hex = createHash('sha256')
    .update(JSON.stringify([hostname(), site, month]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
