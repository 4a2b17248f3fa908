import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { FORMATS, REPORT_VIEWS } from '../../shared/settings/report-choices.ts';
import { ASKED_DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import { LANGUAGES } from '../analysis/text/language.ts';
import { UsageFailure } from '../lib/failure.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { progressBar } from '../lib/progress-bar.ts';
import { VERSION } from '../lib/version.ts';
import { writeToStandardOutput, writeWholeFile } from '../lib/write-whole-file.ts';
import type { QueryString } from '../questions/query-string.ts';
import { SEES_EVERYTHING } from '../questions/viewer-rule.ts';
import { gatherReport } from '../reports/gather-report.ts';
import { parseReport } from '../reports/parse-report.ts';
import { toFileName } from '../reports/render/render-report.ts';
import { renderSource } from '../reports/render-source.ts';
import { nextDue } from '../reports/schedule/find-due.ts';
import { readReportMemory } from '../reports/schedule/report-memory.ts';
import { currentSettings } from '../storage/current-settings.ts';
import type { Store } from '../storage/store.ts';
import { addFilterOption, type FilterOption, parseFilters } from './filter-option.ts';
import { formatOfFile } from './format-option.ts';
import { addRangeOptions, momentText, type RangeOption, rangeParameters } from './range-option.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

interface ReportOptions extends StoreOption, FilterOption, RangeOption {
  readonly view?: string;
  readonly format?: string;
  readonly month?: string;
  readonly beforeFrom?: string;
  readonly beforeTo?: string;
  readonly by?: string;
  readonly time?: string;
  readonly exact?: boolean;
  readonly include?: string;
  readonly above?: string;
  readonly lang?: string;
  readonly first?: string;
  readonly per?: string;
  readonly businessHours?: string;
  readonly outliers?: string;
  readonly minN?: string;
  readonly stamp?: boolean;
  readonly out?: string;
  readonly runs?: boolean;
}

const EXAMPLES = `
Example:
  lastbyte report --out october.pdf --month 2026-10 --lang de
  lastbyte report --view scenarios --filter target=erp
  lastbyte report --view compare --from 2026-03-02 --to 2026-03-03 --zone Europe/Berlin
  lastbyte report --view phases --last 7d
  lastbyte report --view summary --by host,type --format json

docs/reports.md has every option and what it changes.`;

export function reportCommand(): Command {
  const command = new Command('report')
    .description('write a report of the measurements, to read or to pass on')
    .addOption(new Option('--view <view>', 'which report; default monthly').choices(REPORT_VIEWS))
    .addOption(new Option('--format <format>', 'default according to the name of --out, else text').choices(FORMATS))
    .option('--out <file>', 'file or folder to write to; default standard output');
  addRangeOptions(command, '24 hours before --to, or the last month')
    .option('--month <month>', 'monthly: a calendar month, such as 2026-10')
    .option('--before-from <time>', 'monthly and compare: the period to compare with')
    .option('--before-to <time>', 'monthly and compare: its end')
    .option('--by <dimensions>', 'summary and compare: comma-separated, such as host,type')
    .option('--time <time>', 'compare: the time to compare; default ttlb')
    .option('--include <parts>', 'summary: more of each group, comma-separated')
    .option('--above <ms>', 'summary: thresholds of sharesAbove, comma-separated')
    .option('--exact', 'read every value instead of sketches');
  return addFilterOption(command)
    .addOption(new Option('--lang <language>', 'language of the report; default en').choices(LANGUAGES))
    .option('--zone <zone>', 'time zone of months, hours and dates; default UTC')
    .addOption(new Option('--first <which>', 'monthly: the statistic to name first').choices(['median', 'average']))
    .addOption(
      new Option('--per <which>', 'monthly: cost per connection or request').choices(['connection', 'request']),
    )
    .option('--business-hours <hours>', "monthly: only these, such as 'Mon-Fri 08:00-18:00'")
    .option('--outliers <rule>', 'monthly: none, tukey or cap:MS')
    .option('--min-n <requests>', 'monthly: state no facts from fewer requests; default 30')
    .option('--stamp', 'include the time of writing; without it the same data give the same bytes')
    .option('--runs', 'list the results of the scheduled reports instead')
    .addOption(dataOption())
    .option('--json', 'the same as --format json')
    .addHelpText('after', EXAMPLES)
    .action(report);
}

async function report(options: ReportOptions): Promise<void> {
  if (options.runs) return withStore(options, (store) => printRuns(store, options.json ?? false));
  const now = Date.now();
  const request = parseReport(parametersOf(options, now), now, 'text');
  const { format } = request;
  const toTerminal = options.out === undefined;
  if (format === 'pdf' && toTerminal && process.stdout.isTTY) {
    throw new UsageFailure('a PDF cannot be shown on a terminal', 'Name a file with --out, such as --out report.pdf.');
  }
  await withStore(options, async (store) => {
    const bar = progressBar();
    const progress = (part: number) => bar.show(part, `${Math.round(part * 100)} % of the samples read`);
    const source = await gatherReport(
      { store, version: VERSION, viewer: SEES_EVERYTHING, clock: Date.now, progress },
      request,
      now,
    ).finally(bar.clear);
    const made = await renderSource(source, format);
    const { bytes } = made;
    if (options.out === undefined) {
      await writeToStandardOutput([bytes]);
      return;
    }
    const folder = await stat(options.out).then(
      (found) => found.isDirectory(),
      () => false,
    );
    const file = folder ? join(options.out, toFileName(made, format)) : options.out;
    await writeWholeFile(file, [bytes]);
    note(`Wrote ${file}.`);
  });
}

/** The same names as in the query string of GET /api/v1/report, without absent options. */
function parametersOf(options: ReportOptions, now: number): QueryString {
  const { data: _data, control: _control, create: _create, json, out, runs: _runs, ...others } = options;
  const { filter: _filter, from: _from, to: _to, last: _last, beforeFrom, beforeTo, ...asked } = others;
  const { businessHours, exact, stamp, ...rest } = asked;
  const format = options.format ?? (json ? 'json' : out === undefined ? undefined : formatOfFile('--out', out));
  if (json && format !== 'json') throw new UsageFailure('--json contradicts --format', 'Give only one of them.');
  return {
    // `before.` and `after.` filter one of the two periods of a comparison.
    ...parseFilters(options, ASKED_DIMENSIONS, (name) => name.replace(/^(before|after)\./, '')),
    ...rest,
    ...rangeParameters(options, now),
    ...(beforeFrom === undefined ? {} : { beforeFrom: momentText(beforeFrom, options.zone) }),
    ...(beforeTo === undefined ? {} : { beforeTo: momentText(beforeTo, options.zone) }),
    ...(format === undefined ? {} : { format }),
    ...(businessHours === undefined ? {} : { hours: businessHours }),
    ...(exact ? { exact: 'true' } : {}),
    ...(stamp ? { stamp: 'true' } : {}),
  };
}

/** Prints the results of the scheduled reports, newest first, and when each is due next. */
async function printRuns(store: Store, json: boolean): Promise<void> {
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
