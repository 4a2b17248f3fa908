import { useState } from 'preact/hooks';
import { tableCsv, tableTsv } from '../../analysis/tables/csv.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { describeError } from '../api/describe-error.ts';
import { t } from '../text/t.ts';
import { CopyButton } from './copy-button.tsx';
import { saveFile } from './save.ts';

interface TableToolsProps {
  /** Its title, which is also the name of the CSV file. */
  readonly name: string;
  /** Called on demand: the order of rows may change, and rows may have to be read first. */
  table(): TableDocument | Promise<TableDocument>;
}

/** Copy and CSV of a table. */
export function TableTools({ name, table }: TableToolsProps) {
  const [problem, setProblem] = useState<string | null>(null);
  /** The table as a text, or null and a message if its rows cannot be read. */
  const textOf = async (format: (document: TableDocument) => string): Promise<string | null> => {
    setProblem(null);
    try {
      return format(await table());
    } catch (error) {
      setProblem(describeError(error));
      return null;
    }
  };
  const save = async () => {
    const csv = await textOf(tableCsv);
    if (csv !== null) saveFile(`${name}.csv`, new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  };
  return (
    <span class="tools">
      {problem === null ? null : (
        <span class="problem small" role="alert">
          {problem}
        </span>
      )}
      <CopyButton class="tool" aria-label={t.components.copyTable(name)} text={() => textOf(tableTsv)} />
      <button type="button" class="tool" aria-label={t.components.downloadTable(name)} onClick={save}>
        CSV
      </button>
    </span>
  );
}
