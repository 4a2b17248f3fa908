import { tableCsv, tableTsv } from '../../analysis/tables/csv.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { t } from '../text/t.ts';
import { CopyButton } from './copy-button.tsx';
import { saveFile } from './save.ts';

interface TableToolsProps {
  /** Its title, which is also the name of the CSV file. */
  readonly name: string;
  /** Called on demand, because the order of rows may change. */
  table(): TableDocument;
}

/** Copy and CSV of a table. */
export function TableTools({ name, table }: TableToolsProps) {
  return (
    <span class="tools">
      <CopyButton class="tool" aria-label={t.components.copyTable(name)} text={() => tableTsv(table())} />
      <button
        type="button"
        class="tool"
        aria-label={t.components.downloadTable(name)}
        onClick={() => saveFile(`${name}.csv`, new Blob([tableCsv(table())], { type: 'text/csv;charset=utf-8' }))}
      >
        CSV
      </button>
    </span>
  );
}
