import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { DAY_MS } from '../rollups/resolutions.ts';

/** A turn's JSON: four scenarios with their reasons, or twenty steps, take about 1,000 characters. */
const MAX_TURN_CHARS = 2_048;
/** Of one browser and day, of probes that the settings don’t hold: one that was just removed may still be told of. */
const MAX_UNKNOWN_TURNS = 5;
/** Of one browser and day, of probes in the settings: twice what the schedule makes, and never fewer than this. */
const MIN_KNOWN_TURNS = 100;
const SCHEDULE_SLACK = 2;
/** Of one ingest key and day, in bytes of stored turns: some 200,000 of them. */
const MAX_KEY_BYTES = 64 * 1024 * 1024;
/** The part of it that browsers first heard of less than a day ago may use together. */
const MAX_NEWCOMER_BYTES = 8 * 1024 * 1024;
/** Beside its JSON: time, client, probe and site, roughly. */
const ROW_BYTES = 120;
/** Browsers whose turns are counted one by one; beyond that their counts begin again, and the key's budget holds. */
const MAX_COUNTED_CLIENTS = 50_000;

/** Why a turn was not kept. */
export type RunRefusal = 'turn_too_large' | 'turn_unknown_probe' | 'turn_browser_budget' | 'turn_key_budget';

export interface ProbeRunText {
  readonly key: string;
  readonly client: string;
  readonly probe: string;
  readonly text: string;
  /** Its browser was first heard of less than a day ago. */
  readonly newcomer: boolean;
}

export interface RunBudget {
  /** null where it may be kept; it is counted as kept then. */
  refusalOf(turn: ProbeRunText, schedule: Schedule): RunRefusal | null;
}

/** Ids of the scheduled probes, and how many turns of a browser they make in a day. */
export interface Schedule {
  readonly probes: ReadonlySet<string>;
  readonly runsPerDay: number;
}

export function scheduleOf({ probes }: Settings): Schedule {
  const schedule = probes?.schedule ?? [];
  return {
    probes: new Set(schedule.map(({ id }) => id)),
    runsPerDay: schedule.reduce((sum, { everyMinutes }) => sum + Math.ceil((24 * 60) / everyMinutes), 0),
  };
}

/**
 * Turns decide nothing and each costs a row, so that a leaked key could fill the disk with invented ones.
 *
 * @param monotonic milliseconds, by which days are counted from the start: by the wall clock, one that jumps would begin new ones
 */
export function createRunBudget(monotonic: () => number = () => performance.now()): RunBudget {
  let day = Number.NaN;
  let clients = new Map<string, { known: number; unknown: number }>();
  let keys = new Map<string, { all: number; newcomers: number }>();

  function startDay(): void {
    const today = Math.floor(monotonic() / DAY_MS);
    if (today === day) return;
    day = today;
    clients = new Map();
    keys = new Map();
  }

  return {
    refusalOf({ key, client, probe, text, newcomer }, { probes, runsPerDay: turnsPerDay }) {
      startDay();
      if (text.length > MAX_TURN_CHARS) return 'turn_too_large';
      if (clients.size >= MAX_COUNTED_CLIENTS && !clients.has(client)) clients.clear();
      const own = clients.get(client) ?? { known: 0, unknown: 0 };
      const isKnown = probes.has(probe);
      if (!isKnown && own.unknown >= MAX_UNKNOWN_TURNS) return 'turn_unknown_probe';
      if (isKnown && own.known >= Math.max(MIN_KNOWN_TURNS, SCHEDULE_SLACK * turnsPerDay)) return 'turn_browser_budget';
      const spent = keys.get(key) ?? { all: 0, newcomers: 0 };
      const bytes = text.length + ROW_BYTES;
      if (spent.all + bytes > MAX_KEY_BYTES) return 'turn_key_budget';
      if (newcomer && spent.newcomers + bytes > MAX_NEWCOMER_BYTES) return 'turn_key_budget';
      own[isKnown ? 'known' : 'unknown']++;
      clients.set(client, own);
      spent.all += bytes;
      if (newcomer) spent.newcomers += bytes;
      keys.set(key, spent);
      return null;
    },
  };
}
