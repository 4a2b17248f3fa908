import type { Availability, ProbePath } from '../../analysis/probes/probe-results.ts';
import { column, labelledColumns, type TableDocument, type TableRow } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { ProbesDocument } from '../../questions/probes.ts';
import { momentCell } from '../model/sort-table.ts';
import { type AppNames, valueLabel } from '../model/value-label.ts';
import { formatShare } from '../text/format.ts';
import { formatMoment } from '../text/moment.ts';
import { PROBES } from '../text/probes.ts';
import { t } from '../text/t.ts';
import { countedReasons, methodLabels, reasonWords } from './run-reasons.ts';

const { availability, ratios: costs, sequence } = PROBES;

/** One path's scenarios: the probes' runs, those discarded with reasons, and the users' times. */
export function sequenceTable({ scenarios }: ProbePath): TableDocument {
  return {
    title: sequence.title,
    columns: labelledColumns(sequence.columns, {
      ms: ['median', 'p95', 'users'],
      count: ['kept', 'runs', 'userRequests'],
    }),
    rows: scenarios.map(({ scenario, probes, users, kept, runs, methods, discarded, unavailable }) => {
      const reasons = [
        countedReasons(discarded),
        Object.keys(unavailable).length === 0 ? '' : sequence.unavailable(countedReasons(unavailable)),
      ];
      return {
        scenario: wordFor(t.scenarios, scenario),
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
    notes: sequence.notes,
  };
}

export function ratioTable({ ratios }: ProbePath): TableDocument {
  return {
    title: costs.title,
    columns: labelledColumns(costs.columns, { ms: ['ms', 'mean'], ratio: ['ratio'] }),
    rows: ratios.filter(isKnown).map(({ scenario, baseline, median, mean, medianInterval, reason }) => ({
      scenario: labelOf(scenario),
      baseline: baseline === null ? null : labelOf(baseline),
      ms: median?.ms ?? null,
      interval: medianInterval === null ? null : costs.interval(...medianInterval),
      ratio: median?.ratio ?? null,
      mean: mean?.ms ?? null,
      reason: reason === null ? '' : wordFor(costs.unknown, reason),
    })),
    notes: [costs.note],
  };
}

/** Whether a handshake was resumed is rarely known: omit the row instead of showing an empty one. */
function isKnown({ scenario, reason }: ProbePath['ratios'][number]): boolean {
  return reason === null || !(scenario.endsWith('-resumed') || scenario.endsWith('-full'));
}

function labelOf(scenario: string): string {
  return wordFor(t.scenarios, scenario);
}

export function availabilityTable({ steps, rows }: Availability, placeName: PlaceName): TableDocument {
  return {
    title: availability.heading,
    columns: labelledColumns(availability.columns, { share: ['share'], count: ['up', 'down'] }),
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
    notes: [availability.counted],
  };
}

/** The table of journeys with the start of outages in the reader's zone. */
export function withOutages(table: TableDocument, journeys: ProbesDocument['journeys']): TableDocument {
  const since = journeys.map(({ broken }) => broken && momentCell('since', Date.parse(broken.since)));
  return { ...table, rows: table.rows.map((row, i) => ({ ...row, ...since[i] })) };
}

/** Where probes ran: an app as seen from a site. */
export type PlaceName = (place: Place) => string;

type Place = Pick<ProbePath, 'target' | 'host' | 'site'>;

/** Names the app, and its host too where several of its hosts are among the places. */
export function placeNames(places: readonly Place[], names: AppNames): PlaceName {
  const hosts = new Map<string, Set<string>>();
  for (const { target, host } of places) hosts.set(target, (hosts.get(target) ?? new Set()).add(host));
  return ({ target, host, site }) => {
    const app = valueLabel('target', target, names);
    return PROBES.place((hosts.get(target)?.size ?? 0) > 1 ? `${app} (${host})` : app, site);
  };
}

/** The same table with what was probed in words instead of the name of its source, and the step beside its script. */
export function withProbeNames(table: TableDocument): TableDocument {
  const named = ({ probe, step }: TableRow) => {
    const name = wordFor(PROBES.probes, String(probe).replace(/^probe-/, ''));
    return typeof step === 'number' ? PROBES.journeys.step(name, step) : name;
  };
  return {
    ...table,
    columns: table.columns.filter(({ name }) => name !== 'step'),
    rows: table.rows.map((row) => ({ ...row, probe: named(row) })),
  };
}

/** Availability over the whole range, for a row of the calendar. */
export function availableShare(cells: Availability['rows'][number]['cells']): string {
  const up = cells.reduce((sum, cell) => sum + (cell?.up ?? 0), 0);
  const down = cells.reduce((sum, cell) => sum + (cell?.down ?? 0), 0);
  if (up + down === 0) return availability.noProbe;
  return down > 0 && down / (up + down) < 0.005 ? availability.almostAll : formatShare(up / (up + down));
}

/** The view's failures with time and reason as text. */
export function failuresTable(table: TableDocument): TableDocument {
  return {
    ...table,
    columns: table.columns.map((one) => (one.name === 'at' ? column('at', PROBES.failedAt, 'text') : one)),
    rows: [...table.rows]
      .sort((a, b) => Number(b.at) - Number(a.at))
      .map((row) => ({ ...row, ...momentCell('at', Number(row.at)), reason: reasonWords(String(row.reason)) })),
  };
}
