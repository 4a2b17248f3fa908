import { labelledColumns } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { RunsAnswer } from '../../http/schemas/control-answers.ts';
import { usePage } from '../app/page-context.ts';
import { DataTable } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { itemName, toText } from '../model/settings-path.ts';
import { formatMoment } from '../text/moment.ts';
import { texts } from '../text/settings.ts';
import { ActionLine, type ActionResult } from './action-line.tsx';
import { useEditor, useSetting } from './editor.ts';

const words = texts.reports;

type Run = RunsAnswer['runs'][number];

/** Interval of polling for a report that is being generated, ms, and the number of polls before giving up. */
const POLL_INTERVAL = 1000;
const MAX_POLLS = 120;
const MAX_SHOWN = 20;

/** Generates a report now and shows the result. */
export function RunReport() {
  const report = toText(useSetting('id').value);
  const name = toText(useSetting('name').value) || report;
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
    return { good: true, text: words.stillGenerating };
  }
  return (
    <ActionLine
      label={words.generate}
      name={words.generateNow({ report: name })}
      doing={words.generating}
      act={generate}
    />
  );
}

function outcome({ state, done, errors, files, nextAt }: Run): ActionResult {
  const sent = done.length === 0 ? '' : words.sent({ channels: done.join(', '), files: files.join(', ') });
  if (state === 'done') return { good: true, text: sent };
  const again = nextAt === null ? words.noMoreAttempts : words.nextAttempt({ at: formatMoment(Date.parse(nextAt)) });
  return { good: false, text: [sent, ...errorTexts(errors), again].filter((part) => part !== '').join('; ') };
}

function errorTexts(errors: Run['errors']): readonly string[] {
  return Object.entries(errors).map(([channel, reason]) => `${channel}: ${reason}`);
}

/** The next due dates, and the results of the last runs. */
export function ReportRuns() {
  const { client } = usePage();
  return (
    <Panel<RunsAnswer> name={words.statusPanel} shape="chart" query={client.query('/report-runs')}>
      {(answer) => <RunsTable {...answer} />}
    </Panel>
  );
}

function RunsTable({ reports, runs }: RunsAnswer) {
  const { base } = useEditor();
  const nameOf = (id: string) => itemName(base.value.document, ['reports', 'schedule'], id);
  if (reports.length === 0 && runs.length === 0) return null;
  return (
    <>
      {reports.map(({ report, next }) => (
        <p class="quiet small" key={report}>
          {next === null
            ? words.neverDue({ report: nameOf(report) })
            : words.nextDue({ report: nameOf(report), at: formatMoment(Date.parse(next)) })}
        </p>
      ))}
      <DataTable
        name="report-runs"
        bare
        level={3}
        cell={({ name }, { state }) =>
          name === 'state' && state === words.runStates.failed ? <span class="badge-warn">{state}</span> : undefined
        }
        table={{
          title: words.runs,
          columns: labelledColumns(words.columns, { count: ['attempts'] }),
          rows: runs.slice(0, MAX_SHOWN).map(({ report, due, state, attempts, done, files, errors, nextAt }) => ({
            report: nameOf(report),
            due: formatMoment(Date.parse(due)),
            state: wordFor(words.runStates, state),
            attempts,
            done: done.join(', '),
            files: files.join(', '),
            errors: errorTexts(errors).join('; '),
            next: nextAt === null ? '' : formatMoment(Date.parse(nextAt)),
          })),
          notes: [],
        }}
      />
    </>
  );
}
