import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { browsersColumn, browsersNotes } from '../../analysis/tables/browsers-column.ts';
import { column, type TableColumn, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { Grouping } from '../model/groupings.ts';
import type { OverviewRow } from '../model/overview-row.ts';
import type { Pair } from '../model/pair.ts';
import { type AppNames, groupLabel } from '../model/value-label.ts';
import { t } from '../text/t.ts';

const texts = t.overview;
const { columns, document: heads } = texts;

interface GroupsInDocument {
  readonly grouping: Grouping;
  readonly names: AppNames;
  readonly rows: readonly OverviewRow[];
}

/** The table for copying and CSV, groups first, whether open or not: every number on the page, unrounded. */
export function overviewDocument(
  title: string,
  rows: readonly OverviewRow[],
  groups: GroupsInDocument | null,
): TableDocument {
  const grouping = groups === null || groups.grouping === 'host' || groups.grouping === 'type' ? null : groups.grouping;
  const groupOf = ({ cell }: OverviewRow) =>
    grouping === null ? {} : { [grouping]: groupLabel(grouping, cell, groups?.names ?? null) };
  return {
    title,
    columns: [
      ...(grouping === null ? [] : [column(grouping, t.dimensions[grouping], 'text')]),
      column('host', columns.host.label, 'text'),
      column('type', columns.type.label, 'text'),
      column('verdict', columns.verdict.label, 'text'),
      column('waited', columns.waited.label, 'share'),
      ...pairColumns('ttlb', columns.ttlb.label),
      ...(['p25', 'p75', 'p95', 'p99'] as const).map((name) => column(name, heads.ofTotal(name), 'ms')),
      column('gap', columns.gap.label, 'ms'),
      column('change', heads.change, 'ms'),
      column('changed', heads.changed, 'text'),
      column('n', heads.usable, 'count'),
      column('samples', columns.samples.label, 'count'),
      browsersColumn(columns.browsers.label, rows, t),
      column('reused', columns.reused.label, 'share'),
      ...pairColumns('setupConnection', columns.setupConnection.label),
      ...pairColumns('setupRequest', columns.setupRequest.label),
      ...PHASES.flatMap((phase) => pairColumns(phase, t.phases[phase])),
      column('evidence', texts.detail.evidence, 'text'),
    ],
    rows: [...(groups?.rows ?? []), ...rows].map((row) => ({
      ...groupOf(row),
      host: row.cell.host ?? '',
      type: row.cell.type ?? '',
      verdict: t.verdicts[row.verdict.verdict],
      waited: row.waited,
      ...pairCells('ttlb', row.ttlb),
      p25: row.spread?.p25 ?? null,
      p75: row.spread?.p75 ?? null,
      p95: row.spread?.p95 ?? null,
      p99: row.spread?.p99 ?? null,
      gap: row.gap,
      change: row.change,
      changed: row.trend.kind === 'known' ? (row.trend.changed ? heads.yes : heads.no) : null,
      n: row.spread?.n ?? 0,
      samples: row.samples,
      browsers: row.browsers,
      reused: row.reused,
      ...pairCells('setupConnection', row.setupConnection),
      ...pairCells('setupRequest', row.setupRequest),
      ...Object.assign({}, ...PHASES.map((phase) => pairCells(phase, row.phases[phase]))),
      evidence: row.evidence.text,
    })),
    notes: browsersNotes(rows, t),
  };
}

function pairColumns(name: string, label: string): readonly TableColumn[] {
  return [
    column(`${name}_median`, heads.ofPhase(label, columns.median), 'ms'),
    column(`${name}_mean`, heads.ofPhase(label, columns.average), 'ms'),
  ];
}

function pairCells(name: string, pair: Pair): Readonly<Record<string, number | null>> {
  return {
    [`${name}_median`]: pair.known ? pair.median : null,
    [`${name}_mean`]: pair.known ? pair.mean : null,
  };
}
