import type { ClientInfo } from '../../shared/sample/sample.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { BatchAnswer } from '../../shared/wire/wire-batch.ts';
import { MAX_CLOCK_JUMP_MS } from '../storage/clock-watch.ts';
import type { AcceptedBatch, BatchWriter, Ingestion } from '../storage/ingestion.ts';
import type { SampleStore } from '../storage/store.ts';
import { type BatchBody, type BodyGroup, createBodyPool } from './body-group.ts';
import { createBatchBounds } from './bounds/batch-bounds.ts';
import { type CorrectedBatch, correctBatch } from './browser-clock.ts';
import type { DecodedBatch } from './decode/decode-batch.ts';
import { decodeJson } from './decode/decode-json.ts';
import { markAbandoned } from './decode/mark-abandoned.ts';
import { createLongLivedMarks } from './long-lived/long-lived-marks.ts';
import { createSiteByNetwork, type SiteByNetwork } from './site-by-network.ts';

/** A body without a valid batch: none of it is stored. */
export type RefusedBody = Extract<DecodedBatch, { ok: false }>;

export interface StoredBody {
  readonly ok: true;
  readonly answer: BatchAnswer;
  /** Rows in which a name became `(other)`. */
  readonly folded: number;
  /** Rows stored in a coarser cell (cell-bounds.ts). */
  readonly coarsened: number;
  /** Columns of metrics that the settings don't name. */
  readonly droppedMetrics: number;
  /** Bytes in the store, including its share of what is written once per group. */
  readonly storedBytes: number;
  /** Its browser was unknown until now; by default false. */
  readonly newBrowser?: boolean;
}

type ReadBatch = Extract<DecodedBatch, { ok: true }>;

export type BodyOutcome = StoredBody | RefusedBody;

const NOTHING_STORED = { folded: 0, coarsened: 0, droppedMetrics: 0 };
/** Stored per batch in addition to its rows and its browser: its id. */
const BATCH_BYTES = 100;
/** Browsers whose clocks are remembered; others are known by the correction of their last batch. */
const MAX_CLOCKS = 20_000;
const NOT_KNOWN = { difference: Infinity, last: Infinity };

export type IngestBodies = (bodies: readonly BatchBody[]) => Promise<readonly BodyOutcome[]>;

/** Stores bodies as one group. Resolves once they are durable. If it throws a StoreError, none is stored. */
export function createIngestBodies(samples: Pick<SampleStore, 'ingest'>): IngestBodies {
  const pool = createBodyPool();
  return (bodies) => {
    const group = pool.fill(bodies);
    return samples.ingest(INGESTION, group).finally(() => pool.release(group));
  };
}

/** Reads, validates and stores a group of bodies in one transaction. Bodies without a valid batch are refused individually. */
export const INGESTION: Ingestion<BodyGroup, readonly BodyOutcome[]> = {
  name: 'batches',
  create(writer) {
    const ingestGroup = createGroupIngestion(writer);
    return (group, shift) => {
      const outcomes = ingestGroup(group, shift);
      return {
        outcomes,
        samples: outcomes.reduce((sum, outcome) => sum + (outcome.ok ? outcome.answer.accepted : 0), 0),
      };
    };
  },
};

function createGroupIngestion({ append, settings, browsers }: BatchWriter) {
  const bounds = createBatchBounds(browsers.isNumbered);
  const markLongLived = createLongLivedMarks();
  const clocks = new Map<string, readonly CorrectedBatch[]>();
  let sites: Settings['sites'];
  let siteByNetwork: SiteByNetwork | null = null;

  /** A label that the browser was given counts, otherwise the network that it sends from. */
  function withSite(origin: ClientInfo, address: string | null): ClientInfo {
    const configured = settings()?.sites;
    if (configured !== sites) {
      sites = configured;
      siteByNetwork = configured === undefined ? null : createSiteByNetwork(configured);
    }
    if (siteByNetwork === null || address === null || origin.site !== '') return origin;
    const site = siteByNetwork(address);
    return site === null ? origin : { ...origin, site };
  }

  /** In place, by what earlier batches of the browser say about its clock. @returns what was added to its times in all, ms */
  function correctTimes({ origin: { client }, sentAt, clockCorrection, columns: { at } }: ReadBatch, now: number) {
    const stored = clocks.has(client) ? null : browsers.clockCorrection(client);
    const before = clocks.get(client) ?? (stored === null ? [] : [{ ...NOT_KNOWN, correction: stored }]);
    let [first, last] = at.length === 0 ? [sentAt, sentAt] : [Infinity, -Infinity];
    for (const time of at) {
      first = Math.min(first, time - clockCorrection);
      last = Math.max(last, time - clockCorrection);
    }
    const batches = correctBatch(before, { difference: now - sentAt, first, last });
    clocks.delete(client);
    clocks.set(client, batches);
    if (clocks.size > MAX_CLOCKS) clocks.delete(clocks.keys().next().value as string);
    const { correction } = batches.at(-1) as CorrectedBatch;
    const more = correction - clockCorrection;
    if (more !== 0) for (let row = 0; row < at.length; row++) at[row] = (at[row] as number) + more;
    return correction;
  }

  return (group: BodyGroup, shift: number | null): BodyOutcome[] => {
    const { bytes, starts, ends, receivedAt, keys, networks, addresses } = group;
    bounds.startGroup(settings());
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const decode = (index: number, at: number) => decodeJson(whole.subarray(starts[index], ends[index]), at);
    const batches: AcceptedBatch[] = [];
    const outcomes = Array.from(receivedAt, (received, index): BodyOutcome => {
      let at = received;
      let read = decode(index, at);
      if (shift !== null && read.ok && Math.abs(read.clockCorrection) > MAX_CLOCK_JUMP_MS) {
        // A wrong clock would permanently correct its times to wrong ones.
        at += shift;
        read = decode(index, at);
      }
      if (!read.ok) return read;
      const { batchId, status, rejected, ignored } = read;
      const key = keys[index] as string;
      const clockCorrection = correctTimes(read, at);
      // Stored by the expected clock, whichever of the two the browser agrees with: alternating batches would otherwise start a new
      // month each time and reset its bounds.
      const countedAt = received + (shift ?? 0);
      const sent = withSite(read.origin, addresses[index] ?? null);
      const marked = { origin: sent, columns: markLongLived(markAbandoned(read.columns)) };
      const bound = bounds.bound(marked, countedAt, { key, network: networks[index] as number });
      const { origin, columns, coarse, sharesClient, folded, droppedMetrics } = bound;
      batches.push({
        id: batchId,
        receivedAt: at,
        key,
        origin,
        clockCorrection,
        ignored,
        status,
        columns,
        folded: coarse,
        sharesClient,
      });
      const coarsened = coarse?.n ?? 0;
      return {
        ok: true,
        answer: { batch: batchId, duplicate: false, accepted: columns.n + coarsened, rejected },
        folded,
        coarsened,
        droppedMetrics,
        storedBytes: 0,
      };
    });
    if (batches.length === 0) return outcomes;
    // A browser that reports one clock and then the other would seem to have been known for as long as they differ.
    const latestNow = shift === null ? null : Math.max(...receivedAt) + Math.max(0, shift);
    const { duplicates, newBrowserBytes, storedBytes } = append(batches, latestNow);
    let next = 0;
    return outcomes.map((outcome) => {
      if (!outcome.ok) return outcome;
      const index = next++;
      const browserBytes = newBrowserBytes[index] ?? 0;
      const newBrowser = browserBytes > 0;
      if (duplicates[index]) {
        const answer = { ...outcome.answer, duplicate: true, accepted: 0 };
        return { ...outcome, ...NOTHING_STORED, newBrowser, storedBytes: browserBytes, answer };
      }
      return { ...outcome, newBrowser, storedBytes: BATCH_BYTES + browserBytes + (storedBytes[index] ?? 0) };
    });
  };
}
