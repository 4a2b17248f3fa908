/** A clock that jumps further than this, or stands still for longer, is not trusted, ms. */
export const MAX_CLOCK_JUMP_MS = 24 * 3_600_000;
/** Browsers' clocks are collected for this long before they may confirm the time, ms. */
const EVIDENCE_MS = 3_600_000;
/** How many browsers' clocks have to agree with ours … */
const MIN_AGREEING = 3;
/** … and how many for each that disagrees. */
const AGREEING_PER_DISAGREEING = 9;
/** Browsers remembered on either side; more would change nothing. */
const MAX_HEARD = 10_000;
/** How outdated the stored time may be after a crash, ms. */
const KEEP_EVERY_MS = 3_600_000;
/** Batch ids are discarded by their time of receipt, which is unreliable for this long after a jump, ms. */
const HOLD_IDS_MS = 8 * 24 * 3_600_000;

/** Why the clock is not trusted. Times are epoch ms. */
export interface ClockDoubt {
  /** The clock's time when the doubt began. */
  readonly noticedAt: number;
  /** The time expected according to the monotonic clock. After downtime: when the server was last alive. */
  readonly expected: number;
}

/** State that survives a restart. */
export interface ClockRecord {
  /** The last trusted time, epoch ms. */
  readonly seen: number;
  readonly doubt: ClockDoubt | null;
  /** Batch ids are kept until this time, epoch ms. */
  readonly idsHeldUntil: number;
  /** When an operator last confirmed the time, epoch ms; 0 if never. */
  readonly confirmedAt: number;
}

export interface ClockStatus {
  /** Epoch ms. */
  readonly now: number;
  /** The last trusted time, epoch ms. */
  readonly seen: number;
  /** null while the clock is trusted. */
  readonly doubt: ClockDoubt | null;
  /** Batches postponed since the start. */
  readonly putOffBatches: number;
}

/** Evidence about the collector's clock from a batch of a browser that has a vote (browser-standing.ts). */
export interface ClockVote {
  readonly client: string;
  /** Whether the browser's clock is within MAX_CLOCK_JUMP_MS of the collector's. */
  readonly agrees: boolean;
}

export interface ClockWatch {
  /** null while the clock is trusted. Cheap: called for every group of batches. */
  doubt(): ClockDoubt | null;
  /**
   * Difference from the wall clock to the expected time, ms; null while the clock is trusted. While this process runs, the
   * expected time is the better one: the monotonic clock counted it.
   */
  shiftToExpected(): number | null;
  /** Counts a batch that can be stored only when the clock is trusted again. */
  putOff(): void;
  /** Records a browser's clock as evidence while ours is in doubt. */
  recordVote(vote: ClockVote): void;
  /** Ends the doubt if enough browsers agree with the clock. */
  countVotes(): void;
  /** An operator confirms the clock. Stored at once. */
  confirm(): void;
  /** Whether batch ids may be forgotten by their time of receipt. */
  mayForgetIds(): boolean;
  /** Stores the state for a restart if it changed or an hour has passed. */
  keep(): void;
  status(): ClockStatus;
}

export interface ClockWatchDeps {
  /** Epoch ms. */
  readonly clock: () => number;
  /** Monotonic time, ms. Does not advance while the machine sleeps. */
  readonly monotonic: () => number;
  readonly read: () => ClockRecord | null;
  readonly write: (record: ClockRecord) => void;
  /** False for a command, which relies on the server: only a server has observed how time passed. */
  readonly decides: boolean;
  /** Called with one sentence when doubt begins and ends. */
  readonly notice: (text: string) => void;
}

interface Instant {
  readonly wall: number;
  readonly steady: number;
}

/**
 * Decides whether the wall clock can be trusted; everything that deletes data checks this first. While the process runs, the
 * monotonic clock measures how much time has passed. Nothing does so across a restart: a server that was down for more than a
 * day cannot distinguish a long weekend from a jump of the clock. It then waits for browsers, whose clocks come with every
 * batch, or for an operator. A clock that returns to the expected time is trusted again without either.
 *
 * Anyone with an ingest key can invent browsers, which must neither confirm a wrong clock nor keep a correct one in
 * doubt: which browsers get a vote is decided before their clocks reach this code. Without a jump there is nothing to
 * confirm, and pruning removes at most one day of samples per hour.
 */
export function createClockWatch(deps: ClockWatchDeps): ClockWatch {
  const { clock, monotonic, read, write, notice } = deps;
  const now = (): Instant => ({ wall: clock(), steady: monotonic() });
  const start = now();
  const before = read();
  let record: ClockRecord = before ?? { seen: start.wall, doubt: null, idsHeldUntil: 0, confirmedAt: 0 };
  /** The last moment at which wall clock and monotonic clock are known to have matched. */
  let anchor: Instant =
    Math.abs(start.wall - record.seen) <= MAX_CLOCK_JUMP_MS ? start : { wall: record.seen, steady: start.steady };
  let last: Instant | null = null;
  /** When the first browser reported during the current doubt, by the monotonic clock; null before. */
  let votingSince: number | null = null;
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
    votingSince = null;
    agreeing = new Set();
    disagreeing = new Set();
    changed = true;
    notice(
      `the clock says ${textOf(at.wall)}, ${textOf(expected)} was expected: nothing is removed until it is right, enough browsers agree, or \`lastbyte clock confirm\` is run`,
    );
  }

  /** Another process may have confirmed the time. */
  function adoptConfirmation(at: Instant): void {
    const stored = read();
    if (stored === null || stored.confirmedAt === record.confirmedAt) return;
    // A different clock was confirmed, or the same one before it jumped again.
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
    // A doubt from an earlier process concerns a different clock.
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
    recordVote({ client, agrees }) {
      if (doubt() === null) return;
      votingSince ??= monotonic();
      const same = agrees ? agreeing : disagreeing;
      if (same.size < MAX_HEARD) same.add(client);
    },
    countVotes() {
      if (doubt() === null || votingSince === null || monotonic() - votingSince < EVIDENCE_MS) return;
      const few = agreeing.size < MIN_AGREEING || agreeing.size < AGREEING_PER_DISAGREEING * disagreeing.size;
      if (few) return;
      notice(
        `${agreeing.size} browsers agree with the clock (${textOf(clock())}), ${disagreeing.size} do not, so it is trusted`,
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
