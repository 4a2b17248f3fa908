import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { MAX_ISSUERS, MAX_SITES, OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import { boundIssuers } from '../../ingest/bound-issuers.ts';
import { createCellBounds } from '../../ingest/cell-bounds.ts';
import { createClientBounds } from '../../ingest/client-bounds.ts';
import { configuredHosts } from '../../ingest/configured-hosts.ts';
import { createReusedRoom } from '../../ingest/decode/batch-room.ts';
import { knownMetrics, metricNamesOf } from '../../ingest/known-metrics.ts';
import { createLabelBounds } from '../../ingest/label-bounds.ts';
import { createNameBounds } from '../../ingest/name-bounds.ts';
import { NameSender } from '../../ingest/name-room.ts';
import { type BodyOutcome, type ParsedBatch, readBody } from '../../ingest/read-body.ts';
import { MAX_CLOCK_JUMP_MS } from '../clock-watch.ts';
import type { OriginColumns } from '../columns/group-origins.ts';
import { encodeHotChunk } from '../columns/hot-chunk.ts';
import type { AcceptedBatch } from '../store.ts';
import type { BatchWrite, GroupWrite, GroupWritten } from './append-group.ts';
import type { BodyGroup } from './body-rooms.ts';
import type { BrowserStanding } from './browser-standing.ts';

const NOTHING_STORED = { folded: 0, coarsened: 0, droppedMetrics: 0 };
/** Of a batch beside its rows and its browser: its id. */
const BATCH_BYTES = 100;

/**
 * Returns what reads, judges and stores a group of bodies in one transaction: all that a batch costs beside HTTP itself.
 * A body that holds no batch has its own refusal and takes no other along; if it throws, nothing is stored.
 */
export function createTakeIn(
  append: (group: GroupWrite) => GroupWritten,
  settingsNow: () => Settings | null,
  standing: BrowserStanding,
): (group: BodyGroup, shift: number | null) => (BodyOutcome | null)[] {
  const names = createNameBounds();
  const boundSites = createLabelBounds(MAX_SITES, standing.sitesByAge);
  const issuerBounds = createLabelBounds(MAX_ISSUERS);
  const boundCells = createCellBounds();
  const isCountedAlone = createClientBounds(standing.isNumbered);
  let metricNames: ReadonlySet<string> = new Set();
  const room = createReusedRoom();
  let configuredBy: Settings | null = null;
  let established = false;

  return ({ bytes, starts, ends, receivedAt, keys, networks, takesNewcomers, parsed }, shift) => {
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
        shift !== null && standing.judgesClock(client, agreesWithEither) ? { heard: { client, agrees } } : {};
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
    const group = groupOf(batches, latestNow);
    const { duplicates, newBrowserBytes } = append(group);
    const storedBytes = storedBytesOf(group);
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

/** As it is written: what there is to say of each batch, and the rows of all of them as one chunk. */
export function groupOf(batches: readonly AcceptedBatch[], latestNow: number | null = null): GroupWrite {
  const parts: OriginColumns[] = [];
  const batchOf: number[] = [];
  batches.forEach((batch, place) => {
    for (const part of partsOf(batch)) if (part.columns.n > 0) batchOf[parts.push(part) - 1] = place;
  });
  const partBytes = new Float64Array(parts.length);
  const chunk = parts.length === 0 ? null : encodeHotChunk(parts, partBytes);
  const textBytes = batches.map(() => 0);
  for (const [part, place] of batchOf.entries()) textBytes[place] = (textBytes[place] ?? 0) + (partBytes[part] ?? 0);
  return { batches: batches.map(withoutColumns), latestNow, chunk, textBytes };
}

/** A batch pays for the texts that it brings, so that those beside it in the chunk don't; the rest is shared by rows. */
function storedBytesOf({ batches, chunk, textBytes }: GroupWrite): number[] {
  if (chunk === null) return batches.map(() => 0);
  const shared = chunk.bytes.length - textBytes.reduce((sum, bytes) => sum + bytes, 0);
  return batches.map(({ n }, place) => Math.ceil((textBytes[place] ?? 0) + (shared * n) / chunk.n));
}

/** Rows whose cell was folded follow the others of their batch. */
function partsOf(batch: AcceptedBatch): OriginColumns[] {
  const { key = null, columns, folded, sharesClient } = batch;
  const origin = sharesClient ? { ...batch.origin, client: OVERFLOW_NAME } : batch.origin;
  const own = { key, origin, columns };
  return folded ? [own, { key, origin: { ...origin, site: OVERFLOW_NAME }, columns: folded }] : [own];
}

/** Field by field: what is left of an object by `...rest` has a shape of its own, and a shape lives until everything is collected. */
function withoutColumns(batch: AcceptedBatch): BatchWrite {
  const { id, receivedAt, key = null, clockCorrection, origin, status = null, imported = false } = batch;
  const { sharesClient = false } = batch;
  const n = batch.columns.n + (batch.folded?.n ?? 0);
  return { id, receivedAt, key, clockCorrection, origin, status, imported, sharesClient, n };
}
