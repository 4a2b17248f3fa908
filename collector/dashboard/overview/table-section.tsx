import type { ComponentChildren } from 'preact';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { usePage } from '../app/page-context.ts';
import { TableTools } from '../components/table-tools.tsx';
import { withOwn } from '../state/view-state.ts';
import { t } from '../text/t.ts';
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
          <AgainstControl />
          <TableTools name={name} table={table} />
        </div>
        <TableLegend />
      </div>
      {children}
    </section>
  );
}

function AgainstControl() {
  const { state, navigate } = usePage();
  return (
    <span class="against">
      <label for="against">{t.overview.against.label}</label>
      <select
        id="against"
        value={toAgainst(state)}
        onChange={({ currentTarget: { value } }) =>
          navigate(withOwn(state, { against: value === 'before' ? '' : value }))
        }
      >
        {AGAINST.map((name) => (
          <option key={name} value={name}>
            {t.overview.against[name]}
          </option>
        ))}
      </select>
    </span>
  );
}
