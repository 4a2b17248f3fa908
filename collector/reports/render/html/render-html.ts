import type { DrawChart } from '../../../charts/draw-chart.mjs';
import { wordsOf } from '../../language/words.ts';
import type { Block, Report } from '../../report-document.ts';
import { HTML_POLICY } from './html-policy.ts';
import { HTML_STYLE } from './html-style.ts';
import { htmlTable } from './html-table.ts';
import { htmlText } from './html-text.ts';

const CHART_WIDTH = 720;

/** One file that needs nothing else: no script, no picture or font from anywhere. */
export function renderHtml(report: Report, draw: DrawChart): string {
  const { language, title, subtitle, madeAt, sections } = report;
  let charts = 0;
  const words = wordsOf(language);
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
