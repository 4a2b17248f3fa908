import type { AdmittedRequest } from './admission/admission.ts';
import {
  BATCH_COST,
  NEW_BROWSER_COST,
  REFUSED_BODY_COST,
  REJECTED_ROW_COST,
  STORED_ROW_COST,
} from './admission/costs.ts';
import type { BatchBody } from './body-group.ts';
import type { BodyOutcome, IngestBodies } from './ingest-bodies.ts';

/** One that the engine is writing and one that is ready for it. */
const MAX_UNDER_WAY = 2;
/**
 * Bodies worth a commit of their own: the engine starts on them while the event loop is still reading, or gets them while
 * it is busy with others.
 */
const ENOUGH = 32;
/** About 450 samples. Larger bodies form groups of their own, which alternate with the others. */
const SMALL_BYTES = 64 * 1024;
/** Per group, unless it is a single body: about 1,800 samples, which delay later bodies by about 20 ms. */
const MAX_GROUP_BYTES = 256 * 1024;

export interface GroupCommit {
  /**
   * Resolves once the batch is durable or refused. Throws a StoreError if it couldn't be stored. The caller limits how much is
   * added (admission.ts).
   */
  add(body: BatchBody): Promise<BodyOutcome>;
  /** Resolves when everything added so far is durable or has failed. */
  drain(): Promise<void>;
}

interface Waiting {
  readonly body: BatchBody;
  readonly resolve: (outcome: BodyOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Bodies that arrive in one iteration of the event loop become one transaction: `synchronous=FULL` costs one sync for all of
 * them, and no timer adds latency. During a commit, bodies accumulate, so that a slow disk gets larger groups; once there are
 * enough for a commit of their own they are passed on, so that the engine doesn't wait for the event loop under load. Large
 * and small bodies alternate: a sender of thousands of rows at a time delays others by one such body, not by all.
 */
export function createGroupCommit(ingest: IngestBodies): GroupCommit {
  const small: Waiting[] = [];
  const large: Waiting[] = [];
  let lastWasLarge = false;
  let underWay = 0;
  /** Resolved when nothing is under way. */
  let drained: (() => void)[] = [];
  let closingSoon = false;

  function closeGroup(): void {
    const waiting = small.length + large.length;
    if (waiting === 0 || underWay >= MAX_UNDER_WAY) return;
    // It would only wait for the engine, closed to further bodies.
    if (underWay > 0 && waiting < ENOUGH) return;
    lastWasLarge = small.length === 0 || (large.length > 0 && !lastWasLarge);
    const group = nextGroup(lastWasLarge ? large : small);
    underWay++;
    void commit(ingest, group).then(() => {
      underWay--;
      closeGroup();
      if (underWay > 0) return;
      for (const resolve of drained) resolve();
      drained = [];
    });
  }

  return {
    add(body) {
      const outcome = new Promise<BodyOutcome>((resolve, reject) =>
        (body.bytes.length > SMALL_BYTES ? large : small).push({ body, resolve, reject }),
      );
      if (small.length + large.length >= ENOUGH) closeGroup();
      else if (!closingSoon) {
        closingSoon = true;
        setImmediate(() => {
          closingSoon = false;
          closeGroup();
        });
      }
      return outcome;
    },
    async drain() {
      closeGroup();
      if (underWay > 0) await new Promise<void>((resolve) => drained.push(resolve));
    },
  };
}

/** The oldest, as many as fit; at least one. */
function nextGroup(waiting: Waiting[]): Waiting[] {
  let bytes = 0;
  const end = waiting.findIndex(({ body }, index) => {
    bytes += body.bytes.length;
    return index > 0 && bytes > MAX_GROUP_BYTES;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

async function commit(ingest: IngestBodies, group: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await ingest(group.map(({ body }) => body));
    group.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) reject(new Error('the store answered fewer bodies than it received'));
      else resolve(outcome);
    });
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

/** A body with the memory reserved for it, until that is released. */
export class ReceivedBody {
  readonly bytes: Buffer;
  readonly admitted: AdmittedRequest;
  constructor(bytes: Buffer, admitted: AdmittedRequest) {
    this.bytes = bytes;
    this.admitted = admitted;
  }
}

/** From bytes to durable samples: they are decoded where they are stored. */
export async function ingestBody(
  commit: GroupCommit,
  { bytes, admitted }: ReceivedBody,
  { receivedAt, key, address }: Pick<BatchBody, 'receivedAt' | 'key' | 'address'>,
): Promise<BodyOutcome> {
  const outcome = await commit.add({ bytes, receivedAt, key, address: address ?? null, network: admitted.network });
  charge(admitted, outcome);
  return outcome;
}

/** Its bytes were counted as they were read. They pay for what is written, but not for what is refused or rejected. */
function charge(admitted: AdmittedRequest, outcome: BodyOutcome): void {
  if (!outcome.ok) {
    admitted.consume(REFUSED_BODY_COST);
    return;
  }
  const { accepted, rejected } = outcome.answer;
  admitted.consume(rejected.length * REJECTED_ROW_COST);
  admitted.consumeBeyondBytes(
    Math.max(accepted * STORED_ROW_COST, outcome.newBrowser === true ? NEW_BROWSER_COST : BATCH_COST),
  );
  admitted.stored(outcome.storedBytes);
}
