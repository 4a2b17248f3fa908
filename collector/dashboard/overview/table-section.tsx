import type { ComponentChildren } from 'preact';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { usePage } from '../app/page-context.ts';
import { Select, TableChoice } from '../components/select.tsx';
import { Spoken } from '../components/spoken.tsx';
import { TableTools } from '../components/table-tools.tsx';
import { COLUMN_IDS } from '../state/column-ids.ts';
import { withOwn } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { COLUMN_GROUPS } from './table-columns.ts';
import { TableLegend } from './table-legend.tsx';
import { AGAINST, toAgainst } from './use-changes.ts';

interface TableSectionProps {
  readonly title: string;
  /** Title of the copy and the CSV file. */
  readonly name: string;
  /** On demand: rows may have to be read first. */
  table(): TableDocument | Promise<TableDocument>;
  /** A control of its own, before the others. */
  readonly control?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A table of times with its heading, comparison, copy and CSV, and legend. */
export function TableSection({ title, name, table, control = null, children }: TableSectionProps) {
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{title}</h2>
        <div class="panel-tools">
          {control}
          <SortControl />
          <AgainstControl />
          <TableTools name={name} table={table} />
        </div>
        <TableLegend />
      </div>
      {children}
    </section>
  );
}

/** Where rows are cards, which have no column headings. */
function SortControl() {
  const { state, navigate } = usePage();
  const { sort } = state;
  return (
    <span class="table-choice sort-control">
      <label for="sort">{t.app.sort.label}</label>
      <Select
        id="sort"
        value={sort.column}
        options={COLUMN_GROUPS.flatMap(({ columns, label: group, basis }) =>
          columns.map(({ id, label }) => [id, columns.length === 1 ? group : t.app.sort.column(group, basis, label)]),
        )}
        choose={(value) => {
          const column = COLUMN_IDS.find((id) => id === value);
          if (column !== undefined) navigate({ ...state, sort: { ...sort, column } });
        }}
      />
      <button type="button" onClick={() => navigate({ ...state, sort: { ...sort, descending: !sort.descending } })}>
        <span aria-hidden="true">{sort.descending ? '↓' : '↑'}</span>
        <Spoken>{sort.descending ? t.app.sort.descending : t.app.sort.ascending}</Spoken>
      </button>
    </span>
  );
}

function AgainstControl() {
  const { state, navigate } = usePage();
  return (
    <TableChoice
      id="against"
      label={t.overview.against.label}
      value={toAgainst(state)}
      options={AGAINST.map((name) => [name, t.overview.against[name]])}
      choose={(value) => navigate(withOwn(state, { against: value === 'before' ? '' : value }))}
    />
  );
}
