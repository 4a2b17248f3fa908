import { TEXT_INDEX, type TextColumn, type TextName } from '../../../shared/sample/sample-columns.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';

/** The columns with another string in some rows of a column that has one in each of them. */
export function replaceText(
  columns: BatchColumns,
  name: TextName,
  { strings, codes }: TextColumn,
  text: string,
  isReplaced: (row: number) => boolean,
): BatchColumns {
  const texts = [...columns.texts];
  texts[TEXT_INDEX[name]] = {
    strings: [...strings, text],
    codes: codes.map((code, row) => (isReplaced(row) ? strings.length : code)),
  };
  return { ...columns, texts };
}
