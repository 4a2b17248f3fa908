import { wordsOf } from '../language/words.ts';
import type { Block, Report, TableBlock } from '../report-document.ts';
import { cellText, headingOf, isNumeric } from './cell-text.ts';
import { shownRows } from './shown-rows.ts';
import { displayWidth } from './wrap-text.ts';

/** GitHub's Markdown (https://github.github.com/gfm/#tables-extension-), with tables that are aligned to read as they are. */
export function renderMarkdown(report: Report): string {
  const { title, subtitle, madeAt, language } = report;
  const lines = [
    `# ${escaped(title)}`,
    '',
    escaped(subtitle),
    ...(madeAt === null ? [] : ['', escaped(wordsOf(language).madeAt(madeAt))]),
    ...report.sections.flatMap((section) => [
      '',
      `## ${escaped(section.title)}`,
      ...section.blocks.flatMap((block) => markdownBlock(block, report)),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function markdownBlock(block: Block, { language }: Report): string[] {
  switch (block.kind) {
    case 'text':
      return ['', escaped(block.text)];
    case 'figures':
      return [
        '',
        ...block.figures.map(
          ({ label, value, note }) =>
            `- ${escaped(label)}: **${escaped(value)}**${note === '' ? '' : ` (${escaped(note)})`}`,
        ),
      ];
    case 'points':
      return ['', ...block.points.map((point, i) => `${i + 1}. ${escaped(point)}`)];
    case 'facts':
      return ['', ...block.facts.map(([name, value]) => `- ${escaped(name)}: ${escaped(value)}`)];
    case 'table':
      return ['', `### ${escaped(block.table.title)}`, '', ...tableLines(block, language)];
    case 'chart':
      return [];
  }
}

function tableLines(block: TableBlock, language: Report['language']): string[] {
  const { columns } = block.table;
  const { rows, notes } = shownRows(block, language);
  const said = notes.flatMap((note) => ['', escaped(note)]);
  if (rows.length === 0) return [wordsOf(language).nothing, ...said];
  const cells = [
    columns.map((column) => escaped(headingOf(column))),
    ...rows.map((row) => columns.map((column) => escaped(cellText(column, row, language)))),
  ];
  const widths = columns.map((_, i) => Math.max(3, ...cells.map((line) => displayWidth(line[i] ?? ''))));
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, i) => pad(text, widths[i] ?? 3, isNumeric(columns[i] ?? { name: '', label: '', unit: 'text' }))).join(' | ')} |`;
  const rule = `| ${columns.map((column, i) => (isNumeric(column) ? `${'-'.repeat((widths[i] ?? 3) - 1)}:` : '-'.repeat(widths[i] ?? 3))).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), rule, ...body.map(line), ...said];
}

function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return right ? space + text : text + space;
}

/** What Markdown or HTML would read as more than text. A template such as `/a/{id}` stays as it is. */
function escaped(text: string): string {
  return text
    .replace(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/[\\`*_[\]|#]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}
