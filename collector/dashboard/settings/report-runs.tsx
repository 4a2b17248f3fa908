import { column } from '../../analysis/tables/table-document.ts';
import { usePage } from '../app/page-context.ts';
import { DataTable } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { textOf } from '../model/settings-path.ts';
import { formatMoment } from '../text/moment.ts';
import { ActionLine, type ActionResult } from './action-line.tsx';
import { useSetting } from './editor.ts';

interface Run {
  readonly report: string;
  readonly due: string;
  readonly state: string;
  readonly attempts: number;
  readonly nextAt: string | null;
  readonly done: readonly string[];
  readonly errors: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

interface RunsAnswer {
  readonly reports: readonly { readonly report: string; readonly next: string | null }[];
  readonly runs: readonly Run[];
}

/** Interval of polling for a report that is being generated, ms, and the number of polls before giving up. */
const POLL_INTERVAL = 1000;
const MAX_POLLS = 120;
const MAX_SHOWN = 20;

/** Generates a report now and shows the result. */
export function RunReport() {
  const report = textOf(useSetting('id').value);
  const { client, cache } = usePage();
  const runs = async () => (await client.read<RunsAnswer>('/report-runs')).runs.filter((run) => run.report === report);
  async function generate(signal: AbortSignal): Promise<ActionResult> {
    const before = new Set((await runs()).map(({ due }) => due));
    await client.post('/report-runs', { report });
    for (let polls = 0; polls < MAX_POLLS && !signal.aborted; polls++) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
      const run = (await runs()).find(({ due, attempts }) => !before.has(due) && attempts > 0);
      if (run === undefined) continue;
      cache.reread('/report-runs');
      return outcome(run);
    }
    cache.reread('/report-runs');
    return { good: true, text: 'Still being generated. It appears in the list below when it is done.' };
  }
  return <ActionLine label="Generate now" name={`Generate ${report} now`} doing="Generating …" act={generate} />;
}

function outcome({ state, done, errors, files, nextAt }: Run): ActionResult {
  const sent = done.length === 0 ? '' : `Delivered (${done.join(', ')}): ${files.join(', ')}`;
  if (state === 'done') return { good: true, text: sent };
  const again = nextAt === null ? 'No more attempts.' : `Next attempt at ${formatMoment(Date.parse(nextAt))}.`;
  return { good: false, text: [sent, ...errorTexts(errors), again].filter((part) => part !== '').join('; ') };
}

function errorTexts(errors: Run['errors']): readonly string[] {
  return Object.entries(errors).map(([channel, reason]) => `${channel}: ${reason}`);
}

/** The next due dates, and the results of the last runs. */
export function ReportRuns() {
  const { client } = usePage();
  return (
    <Panel<RunsAnswer> name="Report status" shape="chart" query={client.query('/report-runs')}>
      {(answer) => <RunsTable {...answer} />}
    </Panel>
  );
}

function RunsTable({ reports, runs }: RunsAnswer) {
  if (reports.length === 0 && runs.length === 0) return null;
  return (
    <DataTable
      name="report-runs"
      bare
      level={3}
      cell={({ name }, { state }) =>
        name === 'state' && state === 'failed' ? <span class="badge-warn">failed</span> : undefined
      }
      table={{
        title: 'Recent runs',
        columns: [
          column('report', 'Report', 'text'),
          column('due', 'Due', 'text'),
          column('state', 'State', 'text'),
          column('attempts', 'Attempts', 'count'),
          column('done', 'Delivered by', 'text'),
          column('files', 'Files', 'text'),
          column('errors', 'Last error', 'text'),
          column('next', 'Next attempt', 'text'),
        ],
        rows: runs.slice(0, MAX_SHOWN).map(({ report, due, state, attempts, done, files, errors, nextAt }) => ({
          report,
          due: formatMoment(Date.parse(due)),
          state,
          attempts,
          done: done.join(', '),
          files: files.join(', '),
          errors: errorTexts(errors).join('; '),
          next: nextAt === null ? '' : formatMoment(Date.parse(nextAt)),
        })),
        notes: reports.map(({ report, next }) =>
          next === null
            ? `${report} is never due again.`
            : `${report} is next due at ${formatMoment(Date.parse(next))}.`,
        ),
      }}
    />
  );
}
