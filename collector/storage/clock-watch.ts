/** A clock that is further than this from the expected time is in doubt, ms. */
export const MAX_CLOCK_JUMP_MS = 24 * 3_600_000;
/** How outdated the stored time may be after a crash, ms. */
const KEEP_EVERY_MS = 3_600_000;

/** Times are epoch ms. */
export interface ClockStatus {
  readonly now: number;
  /** While the clock is in doubt, the time that the monotonic clock counted; otherwise null. */
  readonly expected: number | null;
}

export interface ClockWatch {
  /** Cheap: asked for every group of batches. */
  status(): ClockStatus;
  /** An operator confirms the clock. A server running alongside this process adopts that. */
  confirm(): void;
  /** Stores the expected time for a restart, once an hour. */
  keep(): void;
}

export interface ClockWatchDeps {
  /** Epoch ms. */
  readonly clock: () => number;
  /** Monotonic time, ms. Does not advance while the machine sleeps. */
  readonly monotonic: () => number;
  /** The stored time, epoch ms: expected when a server was last alive, or confirmed since; null if there is none. */
  readonly read: () => number | null;
  readonly write: (time: number) => void;
  /** Called with one sentence when doubt begins and ends. */
  readonly notice: (text: string) => void;
}

/**
 * Decides whether the wall clock can be trusted; everything that deletes data by its age asks first. While the process runs,
 * the monotonic clock measures how much time has passed. Nothing does so across a restart: a server that was down for more
 * than a day cannot tell a long weekend from a jump of the clock. It then waits for an operator. A clock that returns to the
 * expected time is trusted again without one.
 */
export function createClockWatch({ clock, monotonic, read, write, notice }: ClockWatchDeps): ClockWatch {
  /** The last moment at which the clock was trusted. */
  let trusted = { wall: read() ?? clock(), steady: monotonic() };
  let inDoubt = false;
  let keptAt = Number.NEGATIVE_INFINITY;

  function status(): ClockStatus {
    const [now, steady] = [clock(), monotonic()];
    const expected = Math.round(trusted.wall + steady - trusted.steady);
    const isNear = (time: number) => Math.abs(now - time) <= MAX_CLOCK_JUMP_MS;
    // What is stored is older than expected, unless the time was confirmed.
    if (isNear(expected) || isNear(read() ?? expected)) {
      if (inDoubt) notice(`the clock is trusted again (${textOf(now)})`);
      inDoubt = false;
      trusted = { wall: now, steady };
      return { now, expected: null };
    }
    if (!inDoubt) {
      notice(
        `the clock says ${textOf(now)}, ${textOf(expected)} was expected: nothing is removed until it is right, or \`lastbyte clock confirm\` is run`,
      );
    }
    inDoubt = true;
    return { now, expected };
  }

  return {
    status,
    confirm: () => write(clock()),
    keep() {
      const { now, expected } = status();
      if (monotonic() - keptAt < KEEP_EVERY_MS) return;
      write(expected ?? now);
      keptAt = monotonic();
    },
  };
}

function textOf(time: number): string {
  return Number.isFinite(new Date(time).getTime()) ? new Date(time).toISOString() : String(time);
}
