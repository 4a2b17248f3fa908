import type { KeyValueState } from '../../storage/store.ts';

const NAME = 'reports';
/** Runs kept; older ones are forgotten. */
const MAX_RUNS = 200;

/** Where a report is delivered. */
export type Channel = 'folder' | 'webhook' | 'mail';

/** One report for one due time, and its progress. Times in epoch ms. */
export interface ReportRun {
  /** Id of the report in the settings. */
  readonly report: string;
  readonly due: number;
  readonly state: 'waiting' | 'done' | 'failed';
  readonly attempts: number;
  /** Time of the next attempt; null once it is done or given up. */
  readonly nextAt: number | null;
  readonly endedAt: number | null;
  /** Channels that have delivered it; it is not sent over them again. */
  readonly done: readonly Channel[];
  /** Why the last attempt failed, by channel. */
  readonly errors: Readonly<Record<string, string>>;
  /** Names of the files. */
  readonly files: readonly string[];
}

/** Up to when each timetable has been handled: an earlier due time is not due again. */
export interface Handled {
  /** Cron and zone: a changed timetable starts over. */
  readonly timetable: string;
  readonly until: number;
}

export interface ReportMemory {
  readonly handled: Readonly<Record<string, Handled>>;
  /** Oldest first. */
  readonly runs: readonly ReportRun[];
}

const NOTHING: ReportMemory = { handled: {}, runs: [] };

export async function readReportMemory(kept: KeyValueState): Promise<ReportMemory> {
  return ((await kept.read(NAME)) as ReportMemory | null) ?? NOTHING;
}

/** Another collector may add a run at the same time. */
export function updateReportMemory(kept: KeyValueState, change: (memory: ReportMemory) => ReportMemory): Promise<void> {
  return kept.update(NAME, (value) => {
    const { handled, runs } = change((value as ReportMemory | null) ?? NOTHING);
    return { handled, runs: runs.slice(-MAX_RUNS) };
  });
}
