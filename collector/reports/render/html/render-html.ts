import type { TableRow } from '../../../analysis/tables/table-document.ts';
import type { Language } from '../../../analysis/text/language.ts';
import { visibleText } from '../../../analysis/text/visible-text.ts';
import type { DrawChart } from '../../../charts/draw-chart.mjs';
import { inPlainColours } from '../../../charts/palette.ts';
import {
  type BarPart,
  type Block,
  fullTitle,
  type Point,
  type Report,
  type TableBlock,
} from '../../document/report-document.ts';
import { pickReportTexts } from '../../language/report-texts.ts';
import { barPieces, cellText, isNumeric, shownTable, toHeading } from '../table-cells.ts';
import { HTML_POLICY, HTML_STYLE } from './html-style.ts';

const CHART_WIDTH = 720;

/** One self-contained file: no script, no external image or font. */
export function renderHtml(report: Report, draw: DrawChart): string {
  const { language, title, subtitle, madeAt, sections } = report;
  let charts = 0;
  const words = pickReportTexts(language);
  const body = sections.map(
    ({ title: heading, newPage, blocks }) =>
      `<section${newPage ? ' class="new-page"' : ''}>\n${heading === null ? '' : `<h2>${htmlText(heading)}</h2>\n`}${blocks.map(htmlBlock).join('\n')}\n</section>`,
  );
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${htmlText(HTML_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlText(fullTitle(report))}</title>
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
      case 'points':
        return `<ol${block.small ? ' class="small"' : ''}>\n${block.points.map((point) => `<li>${htmlPoint(point)}</li>`).join('\n')}\n</ol>`;
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

function htmlPoint(point: string | Point): string {
  return typeof point === 'string'
    ? htmlText(point)
    : `<strong>${htmlText(point.title)}</strong> ${htmlText(point.text)}`;
}

/** A table with a caption, row and column headings, and its notes below it. */
function htmlTable(block: TableBlock, language: Language): string {
  const {
    bar,
    table: { title },
  } = block;
  const { columns, rows, notes } = shownTable(block, language);
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
        if (i === 0) return `<th scope="row"${classOf(i)}>${text}</th>`;
        if (bar !== undefined && i === columns.length - 1) return `<td class="bar">${htmlBar(bar, row)}${text}</td>`;
        return `<td${classOf(i)}>${text}</td>`;
      });
      return `<tr>${cells.join('')}</tr>`;
    })
    .join('\n');
  return `<div class="table${bar === undefined ? '' : ' bars'}${columns.length > 16 ? ' wide widest' : columns.length > 10 ? ' wide' : ''}" tabindex="0" role="region" aria-label="${htmlText(title)}"><table>
<caption>${htmlText(title)}${bar === undefined ? '' : htmlKey(bar)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody>
</table></div>
${said}`;
}

/** As wide as its cell, without a style of its own, which the policy of the file forbids. */
function htmlBar(bar: readonly BarPart[], row: TableRow): string {
  const pieces = barPieces(bar, row).map(
    ({ from, share, colour }) =>
      `<rect x="${(from * 100).toFixed(2)}" width="${(share * 100).toFixed(2)}" height="10" fill="${inPlainColours(colour)}"/>`,
  );
  return `<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${pieces.join('')}</svg>`;
}

function htmlKey(parts: readonly BarPart[]): string {
  const square = (colour: string) =>
    `<svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill="${inPlainColours(colour)}"/></svg>`;
  return ` <span class="key">${parts.map(({ label, colour }) => `<span>${square(colour)} ${htmlText(label)}</span>`).join(' ')}</span>`;
}

const NAMES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as HTML, in an element or an attribute; control characters and bidirectional overrides are made visible. */
function htmlText(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (sign) => NAMES[sign] ?? sign);
}
