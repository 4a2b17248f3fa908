import { tableCsv, tableTsv } from '../../analysis/tables/csv.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { copyText, saveFile } from '../components/save.ts';
import { button, element } from './element.ts';

/** How long the button shows "Copied", ms. */
const SAID_FOR = 2000;

/** Copy and CSV of a table. `name` is the file name; `table` is called on demand, because the order of rows may change. */
export function tableTools(name: string, table: () => TableDocument): HTMLElement {
  const copy = button(
    { class: 'tool', 'data-focus': `copy ${name}`, 'aria-label': `Copy table ${name}` },
    () => void copyText(tableTsv(table())).then((done) => say(copy, done ? 'Copied' : 'Not allowed')),
    'Copy',
  );
  return element(
    'span',
    { class: 'tools' },
    copy,
    button(
      { class: 'tool', 'data-focus': `csv ${name}`, 'aria-label': `Download table ${name} as CSV` },
      () => saveFile(`${name}.csv`, new Blob([tableCsv(table())], { type: 'text/csv;charset=utf-8' })),
      'CSV',
    ),
  );
}

function say(target: HTMLElement, words: string): void {
  const before = target.textContent;
  target.textContent = words;
  setTimeout(() => {
    target.textContent = before;
  }, SAID_FOR);
}
