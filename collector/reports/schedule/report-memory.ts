import type { KeyValueState } from '../../storage/store.ts';

const NAME = 'reports';
/** Runs that are remembered; older ones are forgotten. */
const MAX_RUNS = 200;

export const WAYS = ['folder', 'webhook', 'mail'] as const;
export type Way = (typeof WAYS)[number];

/** One report at one time it was due, and how far it has come. Times in epoch ms. */
export interface ReportRun {
  /** Of the report in the settings. */
  readonly report: string;
  readonly due: number;
  readonly state: 'waiting' | 'done' | 'failed';
  readonly attempts: number;
  /** When it is tried next; null once it is done or given up. */
  readonly nextAt: number | null;
  readonly endedAt: number | null;
  /** What could be made and sent already is not sent again. */
  readonly done: readonly Way[];
  /** Why the last attempt failed, each way by itself. */
  readonly errors: Readonly<Record<string, string>>;
  /** Names of the files. */
  readonly files: readonly string[];
}

/** How far each timetable was looked at: a time that was due before is not due again. */
export interface Handled {
  /** Cron and zone: another timetable begins anew. */
  readonly timetable: string;
  readonly until: number;
}

export interface ReportMemory {
  readonly handled: Readonly<Record<string, Handled>>;
  /** Oldest first. */
  readonly runs: readonly ReportRun[];
}

export async function readReportMemory(kept: KeyValueState): Promise<ReportMemory> {
  return ((await kept.read(NAME)) as ReportMemory | null) ?? { handled: {}, runs: [] };
}

export function writeReportMemory(kept: KeyValueState, { handled, runs }: ReportMemory): Promise<void> {
  return kept.write(NAME, { handled, runs: runs.slice(-MAX_RUNS) });
}
