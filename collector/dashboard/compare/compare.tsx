import type { CompareDocument } from '../../questions/compare.ts';
import { useAnnouncement, usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import type { View } from '../app/view.ts';
import { Chart } from '../components/chart.tsx';
import { DataTable } from '../components/data-table.tsx';
import { MethodFooter } from '../components/method-footer.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty, State } from '../components/states.tsx';
import { ViewHead } from '../components/view-head.tsx';
import { ofWhat } from '../model/of-what.ts';
import { viewKey } from '../model/summary-queries.ts';
import { describeRange } from '../state/time-range.ts';
import { COMPARE } from '../text/compare.ts';
import { CompareForm } from './compare-form.tsx';
import { compareQuery, parseComparison, sideNames } from './compare-question.ts';
import { compareTable, comparisonDoubts, comparisonSentence, groupName, type Sides } from './compare-words.ts';
import { IntervalsPicture } from './intervals-picture.tsx';

const text = COMPARE;

/** Whether two ranges, sites, releases or scenarios differ, and by at least how much. */
export const compare: View = {
  title: () => text.title,
  View() {
    const { state, client, now } = usePage();
    return (
      <>
        <CompareForm />
        {compareQuery(state, now()) === null ? (
          <State title={text.choose.title}>
            <p>{text.choose.lead}</p>
          </State>
        ) : (
          <Panel<CompareDocument>
            name={text.panel}
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
  const { what, time } = parseComparison(state.own);
  const names = useAppNames();
  const [a, b] = sideNames(state, now(), names);
  const sides: Sides = { a, b, inTime: what === 'range', names };
  const lead = comparisonSentence(cells, sides);
  const timeLabel = text.times[time];
  const table = compareTable(document, sides);
  const differing = cells.filter(({ change }) => change !== null);
  const usersOnly = what !== 'source' && state.filters.source === undefined;
  useAnnouncement(lead);
  return (
    <>
      <ViewHead title={text.titleOf(timeLabel)} lead={lead}>
        <p class="because">
          {sides.inTime ? text.ranges(sides) : text.both(describeRange(state.range))}
          {usersOnly ? ` ${text.usersOnly}` : null}
        </p>
        {comparisonDoubts(cells).map((doubt) => (
          <p key={doubt} class="notice">
            {doubt}
          </p>
        ))}
      </ViewHead>
      {differing.length === 0 ? null : (
        <>
          <h2 class="spoken">{text.chart.heading}</h2>
          <Chart
            title={text.chart.title}
            note={text.chart.note(sides.inTime ? text.chart.nowMinusBefore : text.chart.minus(sides))}
            words={differing
              .slice(0, 8)
              .map((cell) => text.chart.differenceOf(groupName(cell, names), cell.change?.difference ?? 0))
              .join('; ')}
            legend={[
              { label: text.chart.slower, colour: '--mean' },
              { label: text.chart.faster, colour: '--phase-tcp' },
              { label: text.chart.noise, colour: '--quiet' },
            ]}
            table={table}
            of={ofWhat([timeLabel, text.sidesOf(sides)], method)}
            picture={(width) => <IntervalsPicture cells={cells} names={names} width={width} />}
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
      {leftOut === 0 ? null : <p class="quiet small">{text.table.leftOut(leftOut)}</p>}
      <MethodFooter method={method} />
    </>
  );
}

function outcomeLabelled(label: unknown): string {
  return Object.entries(text.outcomes).find(([, words]) => words === label)?.[0] ?? 'unknown';
}
