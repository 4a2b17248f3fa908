/** A clock that moves further than this by itself, or stood still for longer, is not believed, ms. */
export const MAX_CLOCK_JUMP_MS = 24 * 3_600_000;
/** Browsers are heard for this long before they may confirm the time, ms. */
const EVIDENCE_MS = 3_600_000;
/** Browsers whose clocks have to agree with ours … */
const MIN_AGREEING = 3;
/** … and how many of them for each one that does not. */
const AGREEING_PER_DISAGREEING = 9;
/** Browsers of either side are remembered up to this number; more change nothing. */
const MAX_HEARD = 10_000;
/** How old the last seen time may be after a crash, ms. */
const KEEP_EVERY_MS = 3_600_000;
/** Batch ids are forgotten by the time of receipt. After a jump that time is worth nothing for as long as ids are kept, ms. */
const HOLD_IDS_MS = 8 * 24 * 3_600_000;

/** Why the clock is not believed. Times are epoch ms. */
export interface ClockDoubt {
  /** What the clock said when it was noticed. */
  readonly noticedAt: number;
  /** What it should have said, had no time passed but what was measured. After a downtime: when the server was last alive. */
  readonly expected: number;
}

/** What has to survive a restart. */
export interface ClockRecord {
  /** The last time that was believed, epoch ms. */
  readonly seen: number;
  readonly doubt: ClockDoubt | null;
  /** No batch id is forgotten before this time, epoch ms. */
  readonly idsHeldUntil: number;
  /** When an operator last confirmed the time, epoch ms; 0 if never. */
  readonly confirmedAt: number;
}

export interface ClockStatus {
  /** Epoch ms. */
  readonly now: number;
  /** The last time that was believed, epoch ms. */
  readonly seen: number;
  /** null while the clock is believed. */
  readonly doubt: ClockDoubt | null;
  /** Batches put off since the start. */
  readonly putOffBatches: number;
}

/** What a batch says of the collector's clock, sent by a browser that may have a say (browser-standing.ts). */
export interface HeardClock {
  readonly client: string;
  /** Whether the browser's clock is within MAX_CLOCK_JUMP_MS of the collector's. */
  readonly agrees: boolean;
}

export interface ClockWatch {
  /** null while the clock is believed. Cheap: asked with every group of batches. */
  doubt(): ClockDoubt | null;
  /**
   * What to add to the wall clock to have the time that was expected, ms; null while the clock is believed. While this process
   * runs that is the better clock of the two: the monotonic one counted it.
   */
  shiftToExpected(): number | null;
  /** Counts a batch that is stored only once the clock is believed. */
  putOff(): void;
  /** Notes what a browser's clock says of ours while that is in doubt. */
  hear(browser: HeardClock): void;
  /** Ends the doubt where enough browsers agree with the clock. */
  hearBrowsers(): void;
  /** An operator says that the clock is right. Kept at once. */
  confirm(): void;
  /** Whether ids of batches may be forgotten by the time of receipt. */
  mayForgetIds(): boolean;
  /** Keeps what a restart has to know, where that changed or an hour has passed. */
  keep(): void;
  status(): ClockStatus;
}

export interface ClockWatchDeps {
  /** Epoch ms. */
  readonly clock: () => number;
  /** Milliseconds since some moment; nobody can set it. Stands still while the machine sleeps. */
  readonly monotonic: () => number;
  readonly read: () => ClockRecord | null;
  readonly write: (record: ClockRecord) => void;
  /** False for a command, which takes the word of the server for it: only a server has seen how time passed. */
  readonly decides: boolean;
  /** Told in one sentence when doubt begins and ends. */
  readonly notice: (text: string) => void;
}

interface Instant {
  readonly wall: number;
  readonly steady: number;
}

/**
 * Decides whether the wall clock can be believed: everything that deletes asks here. While the process runs, the monotonic
 * clock says how much time has passed; over a restart, nothing does, so a server that was down for more than a day cannot
 * tell a long weekend from a clock that jumped. Then it waits: for browsers, whose own clocks come with every batch, or for an
 * operator. A clock that comes back to where it should be is believed again by itself.
 *
 * Anyone with an ingest key can invent browsers, which must neither confirm a wrong clock nor keep a right one in doubt: which
 * browsers have a say is decided before they are heard here. Without a jump there is nothing to confirm, and a pass removes one
 * day of samples an hour at most.
 */
export function createClockWatch(deps: ClockWatchDeps): ClockWatch {
  const { clock, monotonic, read, write, notice } = deps;
  const now = (): Instant => ({ wall: clock(), steady: monotonic() });
  const start = now();
  const before = read();
  let record: ClockRecord = before ?? { seen: start.wall, doubt: null, idsHeldUntil: 0, confirmedAt: 0 };
  /** The last moment at which wall clock and monotonic clock were known to belong together. */
  let anchor: Instant =
    Math.abs(start.wall - record.seen) <= MAX_CLOCK_JUMP_MS ? start : { wall: record.seen, steady: start.steady };
  let last: Instant | null = null;
  /** Since when browsers are heard in the present doubt, by the monotonic clock; null before the first. */
  let heardSince: number | null = null;
  let agreeing = new Set<string>();
  let disagreeing = new Set<string>();
  let putOffBatches = 0;
  let keptAt = before === null ? Number.NEGATIVE_INFINITY : start.steady;
  let changed = before === null;

  const expectedAt = ({ steady }: Instant) => anchor.wall + steady - anchor.steady;

  function believe(at: Instant): void {
    anchor = at;
    record = { ...record, seen: at.wall, doubt: null, idsHeldUntil: at.wall + HOLD_IDS_MS };
    changed = true;
  }

  function disbelieve(at: Instant, expected: number): void {
    record = { ...record, doubt: { noticedAt: at.wall, expected } };
    heardSince = null;
    agreeing = new Set();
    disagreeing = new Set();
    changed = true;
    notice(
      `the clock says ${textOf(at.wall)}, ${textOf(expected)} was expected: nothing is removed until it is right, enough browsers agree, or somebody runs \`lastbyte clock confirm\``,
    );
  }

  /** Another process may have confirmed the time. */
  function adoptConfirmation(at: Instant): void {
    const stored = read();
    if (stored === null || stored.confirmedAt === record.confirmedAt) return;
    // It was another clock that was confirmed, or the same one before it jumped again.
    if (Math.abs(at.wall - stored.confirmedAt) > MAX_CLOCK_JUMP_MS) return;
    record = stored;
    anchor = at;
    notice(`an operator confirmed the time (${textOf(at.wall)})`);
  }

  function doubt(): ClockDoubt | null {
    if (!deps.decides) {
      const stored = read()?.doubt ?? null;
      if (stored !== null) return stored;
    }
    const at = now();
    // What an earlier process noticed was noticed by another clock.
    const movedAgain = last === null || Math.abs(at.wall - last.wall - (at.steady - last.steady)) > MAX_CLOCK_JUMP_MS;
    last = at;
    if (record.doubt !== null) adoptConfirmation(at);
    const expected = expectedAt(at);
    if (Math.abs(at.wall - expected) <= MAX_CLOCK_JUMP_MS) {
      if (record.doubt !== null) {
        believe(at);
        notice(`the clock is where it should be again (${textOf(at.wall)})`);
      }
    } else if (record.doubt === null || movedAgain) disbelieve(at, expected);
    return record.doubt;
  }

  return {
    doubt,
    shiftToExpected() {
      if (doubt() === null) return null;
      const at = now();
      return Math.round(expectedAt(at) - at.wall);
    },
    putOff() {
      putOffBatches++;
    },
    hear({ client, agrees }) {
      if (doubt() === null) return;
      heardSince ??= monotonic();
      const same = agrees ? agreeing : disagreeing;
      if (same.size < MAX_HEARD) same.add(client);
    },
    hearBrowsers() {
      if (doubt() === null || heardSince === null || monotonic() - heardSince < EVIDENCE_MS) return;
      const few = agreeing.size < MIN_AGREEING || agreeing.size < AGREEING_PER_DISAGREEING * disagreeing.size;
      if (few) return;
      notice(
        `${agreeing.size} browsers agree with the clock (${textOf(clock())}), ${disagreeing.size} do not: it is believed`,
      );
      believe(now());
    },
    confirm() {
      const at = now();
      anchor = at;
      record = { seen: at.wall, doubt: null, idsHeldUntil: at.wall + HOLD_IDS_MS, confirmedAt: at.wall };
      write(record);
      changed = false;
    },
    mayForgetIds: () => doubt() === null && clock() >= record.idsHeldUntil,
    keep() {
      const believed = doubt() === null;
      const due = monotonic() - keptAt >= KEEP_EVERY_MS;
      if (!changed && !(due && believed)) return;
      if (believed) record = { ...record, seen: clock() };
      write(record);
      keptAt = monotonic();
      changed = false;
    },
    status() {
      const current = doubt();
      return { now: clock(), seen: current === null ? clock() : record.seen, doubt: current, putOffBatches };
    },
  };
}

function textOf(time: number): string {
  return Number.isFinite(new Date(time).getTime()) ? new Date(time).toISOString() : String(time);
}
