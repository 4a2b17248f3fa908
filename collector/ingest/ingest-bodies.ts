import type { Settings } from '../../shared/settings/settings-schema.ts';
import { MAX_ISSUERS, MAX_SITES, OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';
import { MAX_CLOCK_JUMP_MS } from '../storage/clock-watch.ts';
import type { BatchWriter, Ingestion } from '../storage/ingestion.ts';
import type { AcceptedBatch, SampleStore } from '../storage/store.ts';
import { type BodyGroup, createBodyPool } from './body-pool.ts';
import { boundIssuers } from './bound-issuers.ts';
import { createCellBounds } from './cell-bounds.ts';
import { createClientBounds } from './client-bounds.ts';
import { configuredHosts } from './configured-hosts.ts';
import { createReusedRoom } from './decode/batch-room.ts';
import { knownMetrics, metricNamesOf } from './known-metrics.ts';
import { createLabelBounds } from './label-bounds.ts';
import { createNameBounds } from './name-bounds.ts';
import { NameSender } from './name-room.ts';
import { type BatchBody, type BodyOutcome, type ParsedBatch, readBody } from './read-body.ts';

const NOTHING_STORED = { folded: 0, coarsened: 0, droppedMetrics: 0 };
/** Of a batch beside its rows and its browser: its id. */
const BATCH_BYTES = 100;

/** Reads, validates and stores a group of bodies in one transaction. A body without a valid batch is refused by itself. */
export const INGESTION: Ingestion<BodyGroup, readonly (BodyOutcome | null)[]> = {
  name: 'batches',
  create(writer) {
    const ingestGroup = createGroupIngestion(writer);
    return (group, shift) => {
      const outcomes = ingestGroup(group, shift);
      return {
        outcomes,
        samples: outcomes.reduce((sum, outcome) => sum + (outcome?.ok ? outcome.answer.accepted : 0), 0),
        putOff: outcomes.filter((outcome) => outcome?.ok === false && outcome.code === 'clock_in_doubt').length,
        heard: outcomes.flatMap((outcome) => outcome?.heard ?? []),
      };
    };
  },
};

export type IngestBodies = (bodies: readonly BatchBody[]) => Promise<readonly (BodyOutcome | null)[]>;

/**
 * Stores bodies as one group; null where a body has to be parsed first. Resolves once they are durable. If it throws a
 * StoreError, none is stored.
 */
export function createIngestBodies(samples: Pick<SampleStore, 'ingest'>): IngestBodies {
  const pool = createBodyPool();
  return (bodies) => {
    const group = pool.fill(bodies);
    return samples.ingest(INGESTION, group).finally(() => pool.giveBack(group));
  };
}

function createGroupIngestion({ append, settings: settingsNow, standing }: BatchWriter) {
  const names = createNameBounds();
  const boundSites = createLabelBounds(MAX_SITES, standing.sitesByAge);
  const issuerBounds = createLabelBounds(MAX_ISSUERS);
  const boundCells = createCellBounds();
  const isCountedAlone = createClientBounds(standing.isNumbered);
  let metricNames: ReadonlySet<string> = new Set();
  const room = createReusedRoom();
  let configuredBy: Settings | null = null;
  let established = false;

  return (
    { bytes, starts, ends, receivedAt, keys, networks, takesNewcomers, parsed }: BodyGroup,
    shift: number | null,
  ): (BodyOutcome | null)[] => {
    // The columns of the group before are in its chunk by now.
    room.startOver();
    const settings = settingsNow();
    if (settings !== configuredBy) {
      names.configure(settings === null ? new Map() : configuredHosts(settings));
      metricNames = settings === null ? new Set() : metricNamesOf(settings);
      configuredBy = settings;
    }
    if (!established && standing.isEstablished(receivedAt[0] ?? 0)) {
      established = true;
      names.doubtConfirmed();
    }
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const batches: AcceptedBatch[] = [];
    const outcomes = Array.from(ends, (end, place): BodyOutcome | null => {
      const body = () => whole.subarray(starts[place], end);
      let at = receivedAt[place] as number;
      // By the better clock, whichever of the two the browser agrees with: or batches that alternate would turn the month
      // with each other one, and its bounds would begin again.
      const countedAt = at + (shift ?? 0);
      let read = parsed?.[place] ?? readBody(body(), at, room);
      if (!read?.ok) return read;
      const agrees = !isFarOff(read);
      const heardOf = (client: string, agreesWithEither: boolean) =>
        shift !== null && standing.votesOnClock(client, agreesWithEither) ? { heard: { client, agrees } } : {};
      if (shift !== null && !agrees) {
        // By a wrong clock its times would be corrected to wrong ones, for good.
        const { client } = read.origin;
        at += shift;
        const again = parsed?.[place] ? null : readBody(body(), at, room);
        if (!again?.ok || isFarOff(again)) return { ...PUT_OFF, ...heardOf(client, false) };
        read = again;
      }
      const { batchId, origin, clockCorrection, status, rejected } = read;
      const newcomer = !standing.counts(origin.client);
      if (newcomer && takesNewcomers[place] === false) return NO_QUOTA;
      const key = keys[place] as string;
      const sender = new NameSender(key, origin.client, standing.counts);
      const bound = names.bound(read.columns, countedAt, sender);
      const issued = boundIssuers(bound.columns, (issuers) => issuerBounds(issuers, countedAt, sender));
      const known = knownMetrics(issued.columns, metricNames);
      const [site = OVERFLOW_NAME] = boundSites([origin.site], countedAt, sender);
      const { n } = known.columns;
      const from = { key, network: networks[place] as number };
      const cells = boundCells(known.columns, site, countedAt, from);
      batches.push({
        id: batchId,
        receivedAt: at,
        key,
        origin: site === origin.site ? origin : { ...origin, site },
        clockCorrection,
        status,
        columns: cells.columns,
        folded: cells.folded,
        sharesClient: n > 0 && !isCountedAlone(origin.client, countedAt, from),
      });
      const answer = { batch: batchId, duplicate: false, accepted: n, rejected };
      const folded = site === origin.site ? Math.max(bound.folded, issued.folded) : n;
      const coarsened = cells.folded?.n ?? 0;
      return {
        ok: true,
        answer,
        folded,
        coarsened,
        droppedMetrics: known.dropped,
        storedBytes: 0,
        newcomer,
        ...heardOf(origin.client, true),
      };
    });
    if (batches.length === 0) return outcomes;
    // A browser that tells one clock first and then the other would seem to be known for as long as they are apart.
    const latestNow = shift === null ? null : Math.max(...receivedAt) + Math.max(0, shift);
    const { duplicates, newBrowserBytes, storedBytes } = append(batches, latestNow);
    let next = 0;
    return outcomes.map((outcome) => {
      if (!outcome?.ok) return outcome;
      const place = next++;
      const browserBytes = newBrowserBytes[place] ?? 0;
      const newBrowser = browserBytes > 0;
      if (duplicates[place]) {
        const answer = { ...outcome.answer, duplicate: true, accepted: 0 };
        return { ...outcome, ...NOTHING_STORED, newBrowser, storedBytes: browserBytes, answer };
      }
      return { ...outcome, newBrowser, storedBytes: BATCH_BYTES + browserBytes + (storedBytes[place] ?? 0) };
    });
  };
}

const NO_QUOTA: BodyOutcome = {
  ok: false,
  code: 'quota_exceeded',
  message: 'browsers known for less than a day have stored their share',
  hint: 'Keep the batch and send it again after Retry-After.',
};

function isFarOff({ clockCorrection }: ParsedBatch): boolean {
  return Math.abs(clockCorrection) > MAX_CLOCK_JUMP_MS;
}

const PUT_OFF: BodyOutcome = {
  ok: false,
  code: 'clock_in_doubt',
  message: "the collector's clock jumped, and the browser's says something else",
  hint: 'Keep the batch and send it again later.',
};
