import type { Language } from '../../../analysis/text/language.ts';
import { visibleText } from '../../../analysis/text/visible-text.ts';
import type { DrawChart } from '../../../charts/draw-chart.mjs';
import type { Block, Report, TableBlock } from '../../document/report-document.ts';
import { pickReportTexts } from '../../language/report-texts.ts';
import { cellText, isNumeric, shownRows, toHeading } from '../table-cells.ts';
import { HTML_POLICY, HTML_STYLE } from './html-style.ts';

const CHART_WIDTH = 720;

/** One self-contained file: no script, no external image or font. */
export function renderHtml(report: Report, draw: DrawChart): string {
  const { language, title, subtitle, madeAt, sections } = report;
  let charts = 0;
  const words = pickReportTexts(language);
  const body = sections.map(
    ({ title: heading, newPage, blocks }) =>
      `<section${newPage ? ' class="new-page"' : ''}>\n<h2>${htmlText(heading)}</h2>\n${blocks.map(htmlBlock).join('\n')}\n</section>`,
  );
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${htmlText(HTML_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlText(title)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header>
<h1>${htmlText(title)}</h1>
<p class="subtitle">${htmlText(subtitle)}</p>
${madeAt === null ? '' : `<p class="note">${htmlText(words.madeAt(madeAt))}</p>`}
</header>
<main>
${body.join('\n')}
</main>
</body>
</html>
`;

  function htmlBlock(block: Block): string {
    switch (block.kind) {
      case 'text':
        return `<p>${htmlText(block.text)}</p>`;
      case 'figures':
        return `<dl class="figures">\n${block.figures
          .map(
            ({ label, value, note }) =>
              `<div><dt>${htmlText(label)}</dt><dd class="value">${htmlText(value)}</dd><dd class="about">${htmlText(note)}</dd></div>`,
          )
          .join('\n')}\n</dl>`;
      case 'points':
        return `<ol${block.small ? ' class="small"' : ''}>\n${block.points.map((point) => `<li>${htmlText(point)}</li>`).join('\n')}\n</ol>`;
      case 'facts':
        return `<dl class="facts">\n${block.facts
          .map(([term, text]) => `<dt>${htmlText(term)}</dt><dd>${htmlText(text)}</dd>`)
          .join('\n')}\n</dl>`;
      case 'table':
        return htmlTable(block, language);
      case 'chart': {
        const { svg } = draw(block.chart, {
          width: CHART_WIDTH,
          language,
          id: `chart-${++charts}`,
          label: block.title,
        });
        return `<figure>\n<h3>${htmlText(block.title)}</h3>\n${svg}\n<figcaption>${htmlText(block.description)}</figcaption>\n</figure>`;
      }
    }
  }
}

/** A table with a caption, row and column headings, and its notes below it. */
function htmlTable(block: TableBlock, language: Language): string {
  const { title, columns } = block.table;
  const { rows, notes } = shownRows(block, language);
  const said = notes.map((note) => `<p class="note">${htmlText(note)}</p>`).join('\n');
  if (rows.length === 0) {
    return `<h3>${htmlText(title)}</h3>\n<p class="nothing">${htmlText(pickReportTexts(language).nothing)}</p>\n${said}`;
  }
  const classOf = (index: number) => {
    const column = columns[index];
    return column !== undefined && isNumeric(column) ? ' class="number"' : '';
  };
  const head = columns.map((column, i) => `<th scope="col"${classOf(i)}>${htmlText(toHeading(column))}</th>`).join('');
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

const NAMES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as HTML, in an element or an attribute; control characters and bidirectional overrides are made visible. */
function htmlText(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (sign) => NAMES[sign] ?? sign);
}
