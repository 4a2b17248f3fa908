import type { Availability, ProbePath } from '../../analysis/probes/probe-results.ts';
import { column, type TableDocument, type TableRow } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { formatMoment } from '../state/time-range.ts';
import { formatDifference, formatShare } from '../text/format.ts';
import { countedReasons, methodLabels, reasonWords, SCENARIO_LABELS } from './probe-words.ts';

/** One path's scenarios: the probes' runs, those discarded with reasons, and the users' times. */
export function sequenceTable({ scenarios }: ProbePath): TableDocument {
  return {
    title: 'Measurements',
    columns: [
      column('scenario', 'Scenario', 'text'),
      column('median', 'Probes, median', 'ms'),
      column('p95', 'Probes, p95', 'ms'),
      column('kept', 'Kept', 'count'),
      column('runs', 'Runs', 'count'),
      column('method', 'Method', 'text'),
      column('not', 'Discarded or unavailable', 'text'),
      column('users', 'Users, median', 'ms'),
      column('userRequests', 'Users’ requests', 'count'),
    ],
    rows: scenarios.map(({ scenario, probes, users, kept, runs, methods, discarded, unavailable }) => {
      const reasons = [
        countedReasons(discarded),
        Object.keys(unavailable).length === 0 ? '' : `unavailable: ${countedReasons(unavailable)}`,
      ];
      return {
        scenario: SCENARIO_LABELS[scenario],
        median: probes?.median ?? null,
        p95: probes?.p95 ?? null,
        kept,
        runs,
        method: methodLabels(methods),
        not: reasons.filter((text) => text !== '').join('; '),
        users: users?.median ?? null,
        userRequests: users?.n ?? 0,
      };
    }),
    notes: [
      'Total time to the last byte. A run is kept only if its own timestamps prove the scenario.',
      'Probes request one small resource, users request all kinds and sizes. The two are shown side by side and never combined.',
    ],
  };
}

const NO_RATIO: Readonly<Record<string, string>> = {
  no_baseline: 'no baseline',
  not_measured: 'not measured',
  baseline_not_measured: 'baseline not measured',
  different_hosts: 'measured on different hosts than its baseline',
  few_samples: 'fewer than 6 runs',
};

export function ratioTable({ ratios }: ProbePath): TableDocument {
  return {
    title: 'Cost of HTTPS',
    columns: [
      column('scenario', 'Scenario', 'text'),
      column('baseline', 'Baseline', 'text'),
      column('ms', 'Adds, median', 'ms'),
      column('interval', '95 % interval, ms', 'text'),
      column('ratio', 'Ratio', 'ratio'),
      column('mean', 'Adds, average', 'ms'),
      column('reason', 'Why unknown', 'text'),
    ],
    rows: ratios.filter(isKnown).map(({ scenario, baseline, median, mean, medianInterval, reason }) => ({
      scenario: labelOf(scenario),
      baseline: baseline === null ? null : labelOf(baseline),
      ms: median?.ms ?? null,
      interval:
        medianInterval === null
          ? null
          : `${formatDifference(medianInterval[0])} to ${formatDifference(medianInterval[1])}`,
      ratio: median?.ratio ?? null,
      mean: mean?.ms ?? null,
      reason: reason === null ? '' : wordFor(NO_RATIO, reason),
    })),
    notes: [
      'From probes only, from the start of the connect to the last byte, without DNS lookup and queueing. Resumed and full handshakes are subsets of “everything new” where the kind of handshake is known.',
    ],
  };
}

/** Whether a handshake was resumed is rarely known: omit the row instead of showing an empty one. */
function isKnown({ scenario, reason }: ProbePath['ratios'][number]): boolean {
  return reason === null || !(scenario.endsWith('-resumed') || scenario.endsWith('-full'));
}

function labelOf(scenario: string): string {
  if (scenario === 'https-new-resumed') return 'HTTPS, new, session resumed';
  return scenario === 'https-new-full' ? 'HTTPS, new, full handshake' : wordFor(SCENARIO_LABELS, scenario);
}

export function availabilityTable({ steps, rows }: Availability): TableDocument {
  return {
    title: 'Availability',
    columns: [
      column('place', 'Target and site', 'text'),
      column('from', 'From', 'text'),
      column('share', 'Available', 'share'),
      column('up', 'Answered', 'count'),
      column('down', 'Failed', 'count'),
    ],
    rows: rows.flatMap((row) =>
      row.cells.flatMap((cell, i): TableRow[] =>
        cell === null
          ? []
          : [
              {
                place: placeName(row),
                from: formatMoment(steps[i] ?? 0),
                share: cell.up / (cell.up + cell.down),
                ...cell,
              },
            ],
      ),
    ),
    notes: ['Answered: 2xx or 3xx. Failures caused by the probe itself are not counted against the target.'],
  };
}

export function placeName({ host, site }: { readonly host: string; readonly site: string | null }): string {
  return `${host} from ${site ?? 'browsers without a site'}`;
}

/** Availability over the whole range, for a row of the calendar. */
export function availableShare(cells: Availability['rows'][number]['cells']): string {
  const up = cells.reduce((sum, cell) => sum + (cell?.up ?? 0), 0);
  const down = cells.reduce((sum, cell) => sum + (cell?.down ?? 0), 0);
  if (up + down === 0) return 'no probe';
  // 99.96 % is not 100 %: a single failure must not be rounded away.
  return down > 0 && down / (up + down) < 0.005 ? '>99.5 %' : formatShare(up / (up + down));
}

/** The view's failures with time and reason as text. */
export function failuresTable(table: TableDocument): TableDocument {
  return {
    ...table,
    columns: table.columns.map((one) => (one.name === 'at' ? column('at', 'At', 'text') : one)),
    rows: [...table.rows]
      .sort((a, b) => Number(b.at) - Number(a.at))
      .map((row) => ({ ...row, at: formatMoment(Number(row.at)), reason: reasonWords(String(row.reason)) })),
  };
}
