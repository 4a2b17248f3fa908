import { isFewBrowsers, partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import { PHASES, type Phase } from '../../../shared/vocabulary/time-names.ts';
import type { SummaryCell, TimeStatistics, Verdict } from '../../analysis/summary/summary-document.ts';
import { explainUnknown } from '../../analysis/text/unknown-reason.ts';
import { type ConnectionShare, connectionShares } from '../../charts/connection-shares.ts';
import { t } from '../text/t.ts';
import { type EvidenceNote, noteEvidence } from './evidence-note.ts';
import { type Pair, toPair } from './pair.ts';
import { type Changes, NO_CHANGES, type Trend, toTrend } from './row-changes.ts';

/** One row of the table, ready to draw: a group, or a host and type within it. */
export interface OverviewRow {
  /** `host type group`, stable across orders and ranges. */
  readonly name: string;
  readonly host: string;
  readonly type: string;
  readonly verdict: Verdict;
  /** Share of all waiting time in this view, 0…1; null without usable samples. */
  readonly waited: number | null;
  readonly ttlb: Pair;
  readonly spread: TimeStatistics | null;
  readonly gap: number | null;
  /** Median now minus median before, ms; null until known. */
  readonly change: number | null;
  readonly trend: Trend;
  readonly phases: Readonly<Record<Phase, Pair>>;
  readonly setupConnection: Pair;
  readonly setupRequest: Pair;
  /** Reused ÷ (new + reused); null without either. */
  readonly reused: number | null;
  readonly connections: readonly ConnectionShare[];
  readonly samples: number;
  readonly browsers: number | null;
  readonly browsersMonth: string | undefined;
  readonly evidence: EvidenceNote;
  readonly cell: SummaryCell;
}

/** @param total time that users waited in the whole view, ms; by default in these cells */
export function overviewRows(
  cells: readonly SummaryCell[],
  changes: Changes = NO_CHANGES,
  total: number = totalWait(cells),
): readonly OverviewRow[] {
  return cells.map((cell) => overviewRow(cell, total, toTrend(cell, changes)));
}

/** Time that users waited for all usable requests of these cells, ms. */
export function totalWait(cells: readonly SummaryCell[]): number {
  return cells.reduce((sum, cell) => sum + (waitedMs(cell) ?? 0), 0);
}

/** Total time that users waited for a cell's usable requests, ms. */
function waitedMs(cell: SummaryCell): number | null {
  const { ttlb } = cell.phases;
  return ttlb === null ? null : ttlb.n * ttlb.mean;
}

function overviewRow(cell: SummaryCell, total: number, trend: Trend): OverviewRow {
  const waited = waitedMs(cell);
  const opened = (cell.connections.new ?? 0) + (cell.connections.reused ?? 0);
  return {
    name: rowName(cell),
    host: cell.host ?? '',
    type: cell.type ?? '',
    verdict: cell.verdict,
    waited: waited === null || total === 0 ? null : waited / total,
    ttlb: toPair(cell.phases.ttlb, () => explainUnknown(cell, 'ttlb', t)),
    spread: cell.phases.ttlb,
    gap: cell.gap === null ? null : cell.gap.gap,
    change: trend.kind === 'known' ? trend.difference : null,
    trend,
    phases: phasePairs(cell),
    setupConnection: toPair(cell.setup.perConnection, () => explainUnknown(cell, 'setup', t)),
    setupRequest: toPair(cell.setup.perRequest, () => explainUnknown(cell, 'setup', t)),
    reused: opened === 0 ? null : (cell.connections.reused ?? 0) / opened,
    connections: connectionShares(cell, t),
    samples: cell.samples,
    browsers: cell.browsers,
    browsersMonth: cell.browsersMonth,
    evidence: noteEvidence(cell),
    cell,
  };
}

/** Host and type first, then the values of the dimensions that it is grouped by. */
function rowName(cell: SummaryCell): string {
  const { host, type, ...others } = Object.fromEntries(
    partsOfKey(cell).map(({ dimension, value }) => [dimension, value]),
  );
  const named = [host, type].filter((value) => value !== undefined);
  return [...named, ...Object.values(others)].map((value) => value ?? '').join(' ');
}

function phasePairs(cell: SummaryCell): Readonly<Record<Phase, Pair>> {
  const entries = PHASES.map((phase) => [phase, toPair(cell.phases[phase], () => explainUnknown(cell, phase, t))]);
  return Object.fromEntries(entries) as Record<Phase, Pair>;
}

/** The cell with the longest total wait over all requests: the subject of the headline. */
export function headlineCell(cells: readonly SummaryCell[]): SummaryCell | null {
  let longest: SummaryCell | null = null;
  let most = -1;
  for (const cell of cells.filter((one) => !isFewBrowsers(one))) {
    const waited = waitedMs(cell);
    if (waited !== null && waited > most) {
      longest = cell;
      most = waited;
    }
  }
  return longest;
}
