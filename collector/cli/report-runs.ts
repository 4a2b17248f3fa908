import { note, printJson, printLines } from '../lib/print.ts';
import { nextDue } from '../reports/schedule/find-due.ts';
import { readReportMemory } from '../reports/schedule/report-memory.ts';
import { currentSettings } from '../storage/current-settings.ts';
import type { Store } from '../storage/store.ts';

/** Prints the results of the scheduled reports, newest first, and when each is due next. */
export async function printRuns(store: Store, json: boolean): Promise<void> {
  const { settings } = await currentSettings(store.settings);
  const runs = [...(await readReportMemory(store.keyValues)).runs].reverse();
  const now = Date.now();
  const reports = (settings.reports?.schedule ?? []).map((report) => ({
    report: report.id,
    next: momentOf(nextDue(report, now)),
  }));
  if (json) {
    printJson({
      reports,
      runs: runs.map((run) => ({
        ...run,
        due: momentOf(run.due),
        nextAt: momentOf(run.nextAt),
        endedAt: momentOf(run.endedAt),
      })),
    });
    return;
  }
  if (reports.length === 0) note('No report is scheduled; docs/reports.md shows how.');
  for (const { report, next } of reports) printLines(`${report}  next ${next ?? 'never'}`);
  for (const { report, due, state, attempts, nextAt, done, errors, files } of runs) {
    const sent = done.length === 0 ? '' : `, sent by ${done.join(', ')}`;
    const again = nextAt === null ? '' : `, next attempt ${momentOf(nextAt)}`;
    printLines(`${momentOf(due)}  ${report}  ${state}, attempt ${attempts}${sent}${again}  ${files.join(' ')}`);
    for (const [channel, error] of Object.entries(errors)) printLines(`    ${channel}: ${error}`);
  }
}

function momentOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
