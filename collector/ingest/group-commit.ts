import type { IngestBodies } from './ingest-bodies.ts';
import type { BatchBody, BodyOutcome } from './read-body.ts';

/** One that the engine writes and one that lies ready for it. */
const MAX_UNDER_WAY = 2;
/**
 * Bodies that are worth a commit of their own: the engine begins while the event loop still reads the rest of its turn, and
 * so many go to it while it is at work on others.
 */
const ENOUGH = 32;
/** Bodies are of a usual size up to this, some 450 samples; larger ones have groups of their own, which take turns with the rest. */
const USUAL_BYTES = 64 * 1024;
/** Of one group, some 1,800 samples, or one body: the engine is at work on them for about 20 ms, and whoever comes next waits. */
const MAX_GROUP_BYTES = 256 * 1024;

export interface GroupCommit {
  /**
   * Resolves once the batch is durable, or refused; with null if its bytes have to be parsed first. Throws a StoreError if
   * it couldn't be stored. The caller bounds how much is added (intake.ts).
   */
  add(body: BatchBody): Promise<BodyOutcome | null>;
  /** Resolves when everything added so far is durable or has failed. */
  drain(): Promise<void>;
}

interface Waiting {
  readonly body: BatchBody;
  readonly resolve: (outcome: BodyOutcome | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * What arrives in one turn of the event loop becomes one transaction: `synchronous=FULL` costs one sync for all of them,
 * and no timer adds latency. While one group is being committed what comes gathers, so that a slow disk gets larger groups;
 * once there is enough for a commit it goes on its way, so that under load the engine does not wait for the event loop. Large
 * bodies and usual ones take turns: whoever sends thousands of rows at a time delays the others by one of them, not by all.
 */
export function createGroupCommit(ingest: IngestBodies): GroupCommit {
  const usual: Waiting[] = [];
  const large: Waiting[] = [];
  let lastWasLarge = false;
  let underWay = 0;
  /** Who waits until nothing is under way. */
  let drained: (() => void)[] = [];
  let closesWithTurn = false;

  function closeGroup(): void {
    const waiting = usual.length + large.length;
    if (waiting === 0 || underWay >= MAX_UNDER_WAY) return;
    // It would only stand in line, where nothing can join it.
    if (underWay > 0 && waiting < ENOUGH) return;
    lastWasLarge = usual.length === 0 || (large.length > 0 && !lastWasLarge);
    const group = takeGroup(lastWasLarge ? large : usual);
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
      const outcome = new Promise<BodyOutcome | null>((resolve, reject) =>
        (sizeOf(body) > USUAL_BYTES ? large : usual).push({ body, resolve, reject }),
      );
      if (usual.length + large.length >= ENOUGH) closeGroup();
      else if (!closesWithTurn) {
        closesWithTurn = true;
        setImmediate(() => {
          closesWithTurn = false;
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

function sizeOf({ bytes, parsedBytes }: BatchBody): number {
  return parsedBytes ?? bytes.length;
}

/** The oldest, as many as fit; at least one. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let bytes = 0;
  const end = waiting.findIndex(({ body }, place) => {
    bytes += sizeOf(body);
    return place > 0 && bytes > MAX_GROUP_BYTES;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

async function commit(ingest: IngestBodies, group: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await ingest(group.map(({ body }) => body));
    group.forEach(({ resolve, reject }, place) => {
      const outcome = outcomes[place];
      if (outcome === undefined) reject(new Error('the store answered fewer bodies than it was given'));
      else resolve(outcome);
    });
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
