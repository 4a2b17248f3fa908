import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { column, fillColumns } from '../../analysis/tables/table-document.ts';
import { describeConnections } from '../../charts/connection-shares.ts';
import type { ConnectionLine } from '../../charts/connections-chart.ts';
import { gapSteps } from '../../charts/gap-steps.ts';
import { type PhaseLine, phaseBars } from '../../charts/phase-bars.ts';
import { formatMs } from '../text/format.ts';
import { t } from '../text/t.ts';
import { Chart } from './chart.tsx';
import { memo } from './memo.ts';

const { averageRequest, phases, gap, connections } = t.charts;

interface CellChart {
  readonly cell: SummaryCell;
  /** Caption for export. */
  readonly of: string;
  /** As in `Chart`. */
  readonly opensRequests?: boolean | undefined;
}

/** Where the average request spends its time; null without usable samples. */
export const AverageChart = memo(function AverageChart({ cell, of }: CellChart) {
  const bars = phaseBars(cell, t);
  if (bars === null) return null;
  const { mean, median } = bars;
  const pieces = bars.pieces.map(({ label, value }) => `${label} ${formatMs(value)}`).join(', ');
  return (
    <Chart
      title={averageRequest.title}
      of={of}
      note={[averageRequest.note, bars.note].filter((part) => part !== null).join(' ')}
      legend={bars.pieces
        .filter(({ part }) => part !== 'rest' || bars.note !== null)
        .map(({ label, colour }) => ({ label, colour: `--phase-${colour}` }))}
      words={averageRequest.words(formatMs(mean), formatMs(median), pieces)}
      table={{
        title: averageRequest.table,
        columns: [
          column('part', averageRequest.part, 'text'),
          column('ms', averageRequest.perRequest, 'ms'),
          column('share', averageRequest.ofAverage, 'share'),
        ],
        rows: [
          ...bars.pieces.map(({ label, value: ms }) => ({ part: label, ms, share: mean === 0 ? null : ms / mean })),
          { part: t.charts.averageHead, ms: mean, share: null },
          { part: t.charts.medianHead, ms: median, share: null },
        ],
        notes: [],
      }}
      draw={(charts, width) => charts.averageChart(bars, width, t)}
    />
  );
});

/** Median and average of each phase; null without usable samples. */
export const PhasesChart = memo(function PhasesChart({ cell, of, opensRequests }: CellChart) {
  const bars = phaseBars(cell, t);
  if (bars === null) return null;
  return (
    <Chart
      title={phases.title}
      of={of}
      note={phases.note}
      words={bars.lines.map(describeLine).join(' ')}
      legend={[
        { label: t.charts.median, colour: '--quiet', series: 'median' },
        { label: t.charts.average, colour: '--quiet', mark: 'outline', series: 'mean' },
      ]}
      table={{
        title: phases.table,
        ...fillColumns(bars.lines, [
          ['phase', phases.phase, 'text', ({ label }) => label],
          ['basis', phases.basis, 'text', (line) => (line.perConnection ? phases.perConnection : phases.perRequest)],
          ['n', t.charts.n, 'count'],
          ['median', t.charts.medianHead, 'ms'],
          ['mean', t.charts.averageHead, 'ms'],
          ['p25', 'p25', 'ms'],
          ['p75', 'p75', 'ms'],
          ['reason', phases.reason, 'text', ({ reason }) => reason ?? ''],
        ]),
        notes: [],
      }}
      draw={(charts, width, hidden) => charts.phasesChart(bars, width, t, hidden)}
      opensRequests={opensRequests}
    />
  );
});

/** What lifts the average above the median; null if there is no gap. */
export const GapChart = memo(function GapChart({ cell, of }: CellChart) {
  if (cell.gap === null) return null;
  const steps = gapSteps(cell.gap, t);
  return (
    <Chart
      title={gap.title}
      of={of}
      note={gap.note(cell.gap.setupUnknown)}
      words={steps.map(({ label, value }) => `${label} ${formatMs(value)} ms`).join(', ')}
      table={{
        title: gap.title,
        columns: [column('step', gap.step, 'text'), column('ms', gap.adds, 'ms')],
        rows: steps.map(({ label, value }) => ({ step: label, ms: value })),
        notes: [],
      }}
      draw={(charts, width) => charts.gapChart(steps, width, t)}
      opensRequests
    />
  );
});

/** Connection classes, one line per type. */
type ConnectionsProps = Pick<CellChart, 'of'> & { readonly lines: readonly ConnectionLine[] };

export const ConnectionsChart = memo(function ConnectionsChart({ lines, of }: ConnectionsProps) {
  const seen = [...new Set(lines.flatMap(({ shares }) => shares.map(({ connection }) => connection)))];
  return (
    <Chart
      title={connections.title}
      of={of}
      note={connections.note}
      words={lines.map(({ label, shares }) => `${label}: ${describeConnections(shares, t)}.`).join(' ')}
      legend={seen.map((connection) => ({
        label: t.connections[connection],
        colour: `--connection-${connection}`,
      }))}
      table={{
        title: connections.table,
        columns: [
          column('type', connections.type, 'text'),
          ...seen.flatMap((connection) => [
            column(connection, t.connections[connection], 'count'),
            column(`${connection} share`, connections.share(t.connections[connection]), 'share'),
          ]),
        ],
        rows: lines.map(({ label, shares }) => ({
          type: label,
          ...Object.fromEntries(
            seen.flatMap((connection) => {
              const share = shares.find((one) => one.connection === connection);
              return [
                [connection, share?.count ?? 0],
                [`${connection} share`, share?.share ?? 0],
              ];
            }),
          ),
        })),
        notes: [],
      }}
      draw={(charts, width) => charts.connectionsChart(lines, width, t)}
    />
  );
});

function describeLine(line: PhaseLine): string {
  if (line.reason !== null) return phases.unknown(line.label, line.reason);
  return phases.known(line.label, line.perConnection, line.median ?? 0, line.mean ?? 0);
}
