import { visibleText } from '../../analysis/text/visible-text.ts';
import type { Block, Report, TableBlock } from '../document/report-document.ts';
import { pickReportTexts } from '../language/report-texts.ts';
import { cellText, isNumeric, shownTable, toHeading } from './table-cells.ts';
import { pad } from './text-table.ts';
import { displayWidth } from './wrap-text.ts';

/** GitHub's Markdown (https://github.github.com/gfm/#tables-extension-), with tables aligned so that the source is readable too. */
export function renderMarkdown(report: Report): string {
  const { title, subtitle, madeAt, language } = report;
  const lines = [
    `# ${markdownText(title)}`,
    '',
    markdownLine(subtitle),
    ...(madeAt === null ? [] : ['', markdownLine(pickReportTexts(language).madeAt(madeAt))]),
    ...report.sections.flatMap((section) => [
      ...(section.title === null ? [] : ['', `## ${markdownText(section.title)}`]),
      ...section.blocks.flatMap((block) => markdownBlock(block, report)),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function markdownBlock(block: Block, { language }: Report): string[] {
  switch (block.kind) {
    case 'text':
      return ['', markdownLine(block.text)];
    case 'points':
      return [
        '',
        ...block.points.map((point, i) =>
          typeof point === 'string'
            ? `${i + 1}. ${markdownLine(point)}`
            : `${i + 1}. **${markdownText(point.title)}** ${markdownText(point.text)}`,
        ),
      ];
    case 'facts':
      return ['', ...block.facts.map(([name, value]) => `- ${markdownLine(name)}: ${markdownText(value)}`)];
    case 'table':
      return ['', `### ${markdownText(block.table.title)}`, '', ...tableLines(block, language)];
    case 'chart':
      return [];
  }
}

function tableLines(block: TableBlock, language: Report['language']): string[] {
  const { columns, rows, notes } = shownTable(block, language);
  const said = notes.flatMap((note) => ['', markdownLine(note)]);
  if (rows.length === 0) return [pickReportTexts(language).nothing, ...said];
  const cells = [
    columns.map((column) => markdownText(toHeading(column))),
    ...rows.map((row) => columns.map((column) => markdownText(cellText(column, row, language)))),
  ];
  const widths = columns.map((_, i) => Math.max(3, ...cells.map((line) => displayWidth(line[i] ?? ''))));
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, i) => pad(text, widths[i] ?? 3, isNumeric(columns[i] ?? { name: '', label: '', unit: 'text' }))).join(' | ')} |`;
  const rule = `| ${columns.map((column, i) => (isNumeric(column) ? `${'-'.repeat((widths[i] ?? 3) - 1)}:` : '-'.repeat(widths[i] ?? 3))).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), rule, ...body.map(line), ...said];
}

/** An HTML comment: invisible, but it ends a run of text. */
const SPLIT = '<!-- -->';

/**
 * Text that GitHub's Markdown shows unchanged within a line, such as the template `/a/{id}`.
 *
 * URLs become links without any markup (https://github.github.com/gfm/#autolinks-extension-); a backslash prevents that
 * for `www.` and `http://`. Mail addresses, mentions and issue numbers are detected in the rendered text, where the
 * backslash is gone, so the text is split after the `@` or `#`.
 */
export function markdownText(text: string): string {
  return visibleText(text, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_~[\]|#$]/g, '\\$&')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}\\.`)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@(?=\S)|#(?=\d)/g, `$&${SPLIT}`);
}

/** The same at the beginning of a line, where a dash or a number would begin a list. */
export function markdownLine(text: string): string {
  return markdownText(text)
    .trimStart()
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?= |$)/, '$1\\$2');
}
