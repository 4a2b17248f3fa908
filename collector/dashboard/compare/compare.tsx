import type { CompareDocument } from '../../questions/compare.ts';
import { usePage } from '../app/page-context.ts';
import type { View } from '../app/view.ts';
import { Chart } from '../components/chart.tsx';
import { DataTable } from '../components/data-table.tsx';
import { MethodFooter } from '../components/method-footer.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty, State } from '../components/states.tsx';
import { useAnnouncement } from '../components/use-announcement.ts';
import { ViewHead } from '../components/view-head.tsx';
import { compareQuery, parseComparison, sideNames, TIMES } from '../model/compare-question.ts';
import {
  compareTable,
  comparisonDoubts,
  comparisonSentence,
  groupName,
  OUTCOME_LABELS,
  type Sides,
} from '../model/compare-words.ts';
import { ofWhat } from '../model/of-what.ts';
import { viewKey } from '../model/summary-queries.ts';
import { describeRange } from '../state/time-range.ts';
import { formatDifference, plural } from '../text/format.ts';
import { CompareForm } from './compare-form.tsx';
import { IntervalsPicture } from './intervals-picture.tsx';

/** Whether two ranges, sites, releases or scenarios differ, and by at least how much. */
export const compare: View = {
  title: () => 'Compare',
  View() {
    const { state, client, now } = usePage();
    return (
      <>
        <CompareForm />
        {compareQuery(state, now()) === null ? (
          <State title="Choose what to compare">
            <p>Choose both sides above. The result shows whether they differ by more than noise.</p>
          </State>
        ) : (
          <Panel<CompareDocument>
            name="Comparison"
            query={{
              key: `compare ${JSON.stringify([viewKey(state), parseComparison(state.own)])}`,
              read: (signal, report) => client.read(`/compare?${compareQuery(state, now()) ?? ''}`, signal, report),
            }}
          >
            {(document) =>
              document.cells.length === 0 ? <Empty method={document.method} /> : <Result document={document} />
            }
          </Panel>
        )}
      </>
    );
  },
};

/** The result in a sentence, a chart of all groups, and the table. */
function Result({ document }: { readonly document: CompareDocument }) {
  const { cells, leftOut, method } = document;
  const { state, now } = usePage();
  const { what, time, by } = parseComparison(state.own);
  const [a, b] = sideNames(state, now());
  const sides: Sides = { a, b, inTime: what === 'range' };
  const lead = comparisonSentence(cells, sides);
  const timeLabel = TIMES.find(({ name }) => name === time)?.label ?? time;
  const table = compareTable(document, sides);
  const differing = cells.filter(({ change }) => change !== null);
  const usersOnly = what !== 'source' && state.filters.source === undefined;
  useAnnouncement(lead);
  return (
    <>
      <ViewHead title={`Compare: ${timeLabel}`} lead={lead}>
        <p class="because">
          {sides.inTime ? `${b} against ${a}.` : `Both over ${describeRange(state.range)}.`}
          {usersOnly ? ' Users’ requests only, without probes.' : null}
        </p>
        {comparisonDoubts(cells, by !== 'none').map((doubt) => (
          <p key={doubt} class="notice">
            {doubt}
          </p>
        ))}
      </ViewHead>
      {differing.length === 0 ? null : (
        <>
          <h2 class="spoken">Difference between the sides</h2>
          <Chart
            title="Difference of medians"
            note={`Milliseconds, ${sides.inTime ? 'now minus before' : `${b} minus ${a}`}; the lines are 95 % intervals.`}
            words={differing
              .slice(0, 8)
              .map((cell) => `${groupName(cell)}: ${formatDifference(cell.change?.difference ?? 0)} ms`)
              .join('; ')}
            legend={[
              { label: 'slower', colour: '--mean' },
              { label: 'faster', colour: '--phase-tcp' },
              { label: 'not distinguishable from noise', colour: '--quiet' },
            ]}
            table={table}
            of={ofWhat([timeLabel, `${a} against ${b}`], method)}
            picture={(width) => <IntervalsPicture cells={cells} width={width} />}
          />
        </>
      )}
      <DataTable
        name="comparison"
        table={table}
        sortable
        cell={({ name }, { outcome }) =>
          name === 'outcome' ? <span class={`outcome outcome-${outcomeLabelled(outcome)}`}>{outcome}</span> : undefined
        }
      />
      {leftOut === 0 ? null : (
        <p class="quiet small">{`${plural(leftOut, 'smaller group')} not shown. Use the filters to see them.`}</p>
      )}
      <MethodFooter method={method} />
    </>
  );
}

function outcomeLabelled(label: unknown): string {
  return Object.entries(OUTCOME_LABELS).find(([, words]) => words === label)?.[0] ?? 'unknown';
}
