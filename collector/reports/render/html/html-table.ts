import type { Language } from '../../../analysis/text/language.ts';
import { wordsOf } from '../../language/words.ts';
import type { TableBlock } from '../../report-document.ts';
import { cellText, headingOf, isNumeric } from '../cell-text.ts';
import { shownRows } from '../shown-rows.ts';
import { htmlText } from './html-text.ts';

/** A table with a caption, headings in both directions, and its notes below it. */
export function htmlTable(block: TableBlock, language: Language): string {
  const { title, columns } = block.table;
  const { rows, notes } = shownRows(block, language);
  const said = notes.map((note) => `<p class="note">${htmlText(note)}</p>`).join('\n');
  if (rows.length === 0) {
    return `<h3>${htmlText(title)}</h3>\n<p class="nothing">${htmlText(wordsOf(language).nothing)}</p>\n${said}`;
  }
  const classOf = (index: number) => {
    const column = columns[index];
    return column !== undefined && isNumeric(column) ? ' class="number"' : '';
  };
  const head = columns.map((column, i) => `<th scope="col"${classOf(i)}>${htmlText(headingOf(column))}</th>`).join('');
  const body = rows
    .map((row) => {
      const cells = columns.map((column, i) => {
        const text = htmlText(cellText(column, row, language));
        return i === 0 ? `<th scope="row"${classOf(i)}>${text}</th>` : `<td${classOf(i)}>${text}</td>`;
      });
      return `<tr>${cells.join('')}</tr>`;
    })
    .join('\n');
  return `<div class="table${columns.length > 16 ? ' wide widest' : columns.length > 10 ? ' wide' : ''}" tabindex="0" role="region" aria-label="${htmlText(title)}"><table>
<caption>${htmlText(title)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody>
</table></div>
${said}`;
}
