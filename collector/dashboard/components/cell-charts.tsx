import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { column } from '../../analysis/tables/table-document.ts';
import { describeConnections } from '../../charts/connection-shares.ts';
import type { ConnectionLine } from '../../charts/connections-chart.ts';
import { gapSteps } from '../../charts/gap-steps.ts';
import { type PhaseLine, phaseBars } from '../../charts/phase-bars.ts';
import { formatMs, plural } from '../text/format.ts';
import { t } from '../text/t.ts';
import { Chart } from './chart.tsx';
import { memo } from './memo.ts';

interface CellChart {
  readonly cell: SummaryCell;
  /** Caption for export. */
  readonly of: string;
}

/** Where the average request spends its time; null without usable samples. */
export const AverageChart = memo(function AverageChart({ cell, of }: CellChart) {
  const bars = phaseBars(cell, t);
  if (bars === null) return null;
  const { mean, median } = bars;
  const pieces = bars.pieces.map(({ label, value }) => `${label} ${formatMs(value)}`).join(', ');
  return (
    <Chart
      title="The average request"
      of={of}
      note={['Averages per request, stacked; a reused connection counts 0.', bars.note]
        .filter((part) => part !== null)
        .join(' ')}
      words={`Average ${formatMs(mean)} ms, median ${formatMs(median)} ms. Parts of the average: ${pieces} ms.`}
      table={{
        title: 'Parts of the average request',
        columns: [
          column('part', 'Part', 'text'),
          column('ms', 'Per request', 'ms'),
          column('share', 'Of the average', 'share'),
        ],
        rows: [
          ...bars.pieces.map(({ label, value }) => ({
            part: label,
            ms: value,
            share: mean === 0 ? null : value / mean,
          })),
          { part: 'Average', ms: mean, share: null },
          { part: 'Median', ms: median, share: null },
        ],
        notes: [],
      }}
      draw={(charts, width) => charts.averageChart(bars, width, t)}
    />
  );
});

/** Median and average of each phase; null without usable samples. */
export const PhasesChart = memo(function PhasesChart({ cell, of }: CellChart) {
  const bars = phaseBars(cell, t);
  if (bars === null) return null;
  return (
    <Chart
      title="Each phase by itself"
      of={of}
      note="Not stacked, because medians of parts do not add up. DNS, TCP and TLS over new connections only."
      words={bars.lines.map(describeLine).join(' ')}
      legend={[
        { label: 'median', colour: '--quiet' },
        { label: 'average', colour: '--quiet', mark: 'outline' },
      ]}
      table={{
        title: 'Median and average of each phase',
        columns: [
          column('phase', 'Phase', 'text'),
          column('basis', 'Basis', 'text'),
          column('n', 'n', 'count'),
          column('median', 'Median', 'ms'),
          column('mean', 'Average', 'ms'),
          column('p25', 'p25', 'ms'),
          column('p75', 'p75', 'ms'),
          column('reason', 'Why unknown', 'text'),
        ],
        rows: bars.lines.map(({ label, perConnection, n, median, mean, p25, p75, reason }) => ({
          phase: label,
          basis: perConnection ? 'per connection' : 'per request',
          n,
          median,
          mean,
          p25,
          p75,
          reason: reason ?? '',
        })),
        notes: [],
      }}
      draw={(charts, width) => charts.phasesChart(bars, width, t)}
    />
  );
});

/** What lifts the average above the median; null if there is no gap. */
export const GapChart = memo(function GapChart({ cell, of }: CellChart) {
  if (cell.gap === null) return null;
  const steps = gapSteps(cell.gap, t);
  const unknown = cell.gap.setupUnknown;
  return (
    <Chart
      title="From median to average"
      of={of}
      note={`What lifts the average above the median, ms per request.${unknown > 0 ? ` The set-up of ${plural(unknown, 'new connection')} is unknown and counts 0.` : ''}`}
      words={steps.map(({ label, value }) => `${label} ${formatMs(value)} ms`).join(', ')}
      table={{
        title: 'From median to average',
        columns: [column('step', 'Step', 'text'), column('ms', 'Adds', 'ms')],
        rows: steps.map(({ label, value }) => ({ step: label, ms: value })),
        notes: [],
      }}
      draw={(charts, width) => charts.gapChart(steps, width, t)}
    />
  );
});

/** Connection classes, one line per type. */
export const ConnectionsChart = memo(function ConnectionsChart({
  lines,
  of,
}: {
  readonly lines: readonly ConnectionLine[];
  readonly of: string;
}) {
  const seen = [...new Set(lines.flatMap(({ shares }) => shares.map(({ connection }) => connection)))];
  return (
    <Chart
      title="Connections"
      of={of}
      note="Share of requests on new and reused connections, and without the network."
      words={lines.map(({ label, shares }) => `${label}: ${describeConnections(shares, t)}.`).join(' ')}
      legend={seen.map((connection) => ({
        label: t.connections[connection],
        colour: `--connection-${connection}`,
      }))}
      table={{
        title: 'Samples by type and connection class',
        columns: [
          column('type', 'Type', 'text'),
          ...seen.flatMap((connection) => [
            column(connection, t.connections[connection], 'count'),
            column(`${connection} share`, `${t.connections[connection]}, share`, 'share'),
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
  if (line.reason !== null) return `${line.label} unknown: ${line.reason}.`;
  return `${line.label}${line.perConnection ? ' per connection' : ''}: median ${formatMs(line.median ?? 0)}, average ${formatMs(line.mean ?? 0)} ms.`;
}
