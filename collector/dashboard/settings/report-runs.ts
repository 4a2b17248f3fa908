import { column } from '../../analysis/tables/table-document.ts';
import type { ApiClient } from '../api/api-client.ts';
import { dataTable } from '../render/data-table.ts';
import { element } from '../render/element.ts';
import type { ViewContext } from '../render/view.ts';
import { formatMoment } from '../state/time-range.ts';
import { actionLine } from './action-line.ts';

import { type StatusPanel, statusPanel } from './status-panel.ts';

interface Run {
  readonly report: string;
  readonly due: string;
  readonly state: string;
  readonly attempts: number;
  readonly nextAt: string | null;
  readonly endedAt: string | null;
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

/** The next due dates, and the results of the last runs. */
export function reportRuns(context: ViewContext): StatusPanel {
  return statusPanel<RunsAnswer>(context, {
    name: 'Report status',
    shape: 'chart',
    read: (signal) => context.client.read('/report-runs', signal),
    render: draw,
  });
}

/** Generates a report now and shows the result. */
export function runReport(
  client: ApiClient,
  report: string,
  unready: () => string | null,
  runs: StatusPanel,
): HTMLElement {
  const line = actionLine({
    label: 'Generate now',
    name: `Generate ${report} now`,
    focus: `run report ${report}`,
    doing: 'Generating …',
    unready,
    async act() {
      const mine = async () =>
        (await client.read<RunsAnswer>('/report-runs')).runs.filter((run) => run.report === report);
      const before = new Set((await mine()).map(({ due }) => due));
      await client.send('/report-runs', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ report }),
      });
      for (let polls = 0; polls < MAX_POLLS && line.isConnected; polls++) {
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
        const run = (await mine()).find(({ due, attempts }) => !before.has(due) && attempts > 0);
        if (run === undefined) continue;
        runs.refresh();
        return outcome(run);
      }
      runs.refresh();
      return { good: true, text: 'Still being generated. It appears in the list below when it is done.' };
    },
  });
  return line;
}

function outcome({ state, done, errors, files, nextAt }: Run): { readonly text: string; readonly good: boolean } {
  const wrong = Object.entries(errors).map(([channel, reason]) => `${channel}: ${reason}`);
  const sent = done.length === 0 ? '' : `Delivered (${done.join(', ')}): ${files.join(', ')}`;
  if (state === 'done') return { good: true, text: sent };
  const again = nextAt === null ? 'No more attempts.' : `Next attempt at ${formatMoment(Date.parse(nextAt))}.`;
  return { good: false, text: [sent, ...wrong, again].filter((part) => part !== '').join('; ') };
}

function draw({ reports, runs }: RunsAnswer): readonly HTMLElement[] {
  if (reports.length === 0 && runs.length === 0) return [];
  const due = reports.map(({ report, next }) =>
    next === null ? `${report} is never due again.` : `${report} is next due at ${formatMoment(Date.parse(next))}.`,
  );
  return [
    dataTable({
      name: 'report-runs',
      bare: true,
      level: 3,
      cell: ({ name }, row) =>
        name === 'state' && row.state === 'failed' ? element('span', { class: 'badge-warn' }, 'failed') : undefined,
      table: {
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
        rows: runs.slice(0, MAX_SHOWN).map((run) => ({
          report: run.report,
          due: formatMoment(Date.parse(run.due)),
          state: run.state,
          attempts: run.attempts,
          done: run.done.join(', '),
          files: run.files.join(', '),
          errors: Object.entries(run.errors)
            .map(([channel, reason]) => `${channel}: ${reason}`)
            .join('; '),
          next: run.nextAt === null ? '' : formatMoment(Date.parse(run.nextAt)),
        })),
        notes: due,
      },
    }),
  ];
}
