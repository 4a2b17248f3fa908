import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { DAY_MS } from '../rollups/resolutions.ts';

/** JSON of a run: four scenarios with their reasons, or twenty steps, take about 1,000 characters. */
const MAX_RUN_CHARS = 2_048;
/** Runs per browser and day of probes that are not in the settings: a probe may just have been removed. */
const MAX_UNKNOWN_RUNS = 5;
/** Runs per browser and day of probes in the settings: twice what the schedule gives, but at least this many. */
const MIN_KNOWN_RUNS = 100;
const SCHEDULE_SLACK = 2;
/** Bytes of stored runs per ingest key and day: about 200,000 runs. */
const MAX_KEY_BYTES = 64 * 1024 * 1024;
/** The part of `MAX_KEY_BYTES` that all newcomers together may use. */
const MAX_NEWCOMER_BYTES = 8 * 1024 * 1024;
/** Roughly the time, client, probe and site of a row. */
const ROW_BYTES = 120;
/** Browsers whose runs are counted individually; beyond that the counts restart, and the key's budget applies. */
const MAX_COUNTED_CLIENTS = 50_000;

/** Why a run was not kept. Stored, so never renamed. */
export type RunRefusal = 'turn_too_large' | 'turn_unknown_probe' | 'turn_browser_budget' | 'turn_key_budget';

export interface ProbeRunText {
  readonly key: string;
  readonly client: string;
  readonly probe: string;
  readonly text: string;
  /** Whether its browser is a newcomer. */
  readonly newcomer: boolean;
}

export interface RunBudget {
  /** null if it may be kept; it is then counted. */
  refusalOf(run: ProbeRunText, schedule: Schedule): RunRefusal | null;
}

/** The scheduled probes, and how many runs per browser and day they amount to. */
export interface Schedule {
  readonly probes: ReadonlySet<string>;
  readonly runsPerDay: number;
}

export function toSchedule({ probes }: Settings): Schedule {
  const schedule = probes?.schedule ?? [];
  return {
    probes: new Set(schedule.map(({ id }) => id)),
    runsPerDay: schedule.reduce((sum, { everyMinutes }) => sum + Math.ceil((24 * 60) / everyMinutes), 0),
  };
}

/**
 * Bounds the rows of runs: with a leaked key, invented runs could fill the disk.
 *
 * @param monotonic ms, counts days from the start: a jump of the wall clock must not begin new ones
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
      if (text.length > MAX_RUN_CHARS) return 'turn_too_large';
      if (clients.size >= MAX_COUNTED_CLIENTS && !clients.has(client)) clients.clear();
      const own = clients.get(client) ?? { known: 0, unknown: 0 };
      const isKnown = probes.has(probe);
      if (!isKnown && own.unknown >= MAX_UNKNOWN_RUNS) return 'turn_unknown_probe';
      if (isKnown && own.known >= Math.max(MIN_KNOWN_RUNS, SCHEDULE_SLACK * turnsPerDay)) return 'turn_browser_budget';
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
