import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { browsersLabel, browsersNotes } from '../../analysis/tables/browsers-column.ts';
import { fillColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
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
  const groupName = ({ cell }: OverviewRow) =>
    grouping === null ? null : groupLabel(grouping, cell, groups?.names ?? null);
  const changed = ({ trend }: OverviewRow) => (trend.kind === 'known' ? (trend.changed ? heads.yes : heads.no) : null);
  return {
    title,
    ...fillColumns(
      [...(groups?.rows ?? []), ...rows],
      [
        ...(grouping === null ? [] : [[grouping, t.dimensions[grouping], 'text', groupName] as const]),
        ['host', columns.host.label, 'text', ({ cell }) => cell.host ?? ''],
        ['type', columns.type.label, 'text', ({ cell }) => cell.type ?? ''],
        ['verdict', columns.verdict.label, 'text', ({ verdict }) => t.verdicts[verdict.verdict]],
        ['waited', columns.waited.label, 'share'],
        ...pairColumns('ttlb', columns.ttlb.label, ({ ttlb }) => ttlb),
        ...(['p25', 'p75', 'p95', 'p99'] as const).map(
          (name) => [name, heads.ofTotal(name), 'ms', ({ spread }: OverviewRow) => spread?.[name] ?? null] as const,
        ),
        ['gap', columns.gap.label, 'ms'],
        ['change', heads.change, 'ms'],
        ['changed', heads.changed, 'text', changed],
        ['n', heads.usable, 'count', ({ spread }) => spread?.n ?? 0],
        ['samples', columns.samples.label, 'count'],
        ['browsers', browsersLabel(columns.browsers.label, rows, t), 'count'],
        ['reused', columns.reused.label, 'share'],
        ...pairColumns('setupConnection', columns.setupConnection.label, (row) => row.setupConnection),
        ...pairColumns('setupRequest', columns.setupRequest.label, (row) => row.setupRequest),
        ...PHASES.flatMap((phase) => pairColumns(phase, t.phases[phase], ({ phases }) => phases[phase])),
        ['evidence', texts.detail.evidence, 'text', ({ evidence }) => evidence.text],
      ],
    ),
    notes: browsersNotes(rows, t),
  };
}

function pairColumns(name: string, label: string, pairIn: (row: OverviewRow) => Pair) {
  return (['median', 'mean'] as const).map((which) => {
    const heading = heads.ofPhase(label, which === 'mean' ? columns.average : columns.median);
    const value = (row: OverviewRow) => {
      const pair = pairIn(row);
      return pair.known ? pair[which] : null;
    };
    return [`${name}_${which}`, heading, 'ms', value] as const;
  });
}
