import type { Block, Report, TableBlock } from '../document/report-document.ts';
import { pickReportTexts } from '../language/report-texts.ts';
import { shownTable } from './table-cells.ts';
import { labelled, textTable } from './text-table.ts';
import { displayWidth, wrapText } from './wrap-text.ts';

/** The traditional width of a terminal. */
const WIDTH = 80;
const MAX_LABEL = 30;
/** Width of a table that may be shortened: a terminal scrolls. */
const MAX_ROWS = 15;

/** A report for a terminal: at most 80 columns wide, without colours or control characters. */
export function renderText(report: Report): string {
  const { language, madeAt } = report;
  const head = [
    ...wrapText(report.title, WIDTH),
    '='.repeat(Math.min(WIDTH, displayWidth(report.title))),
    ...wrapText(report.subtitle, WIDTH),
    ...(madeAt === null ? [] : wrapText(pickReportTexts(language).madeAt(madeAt), WIDTH)),
  ];
  const sections = report.sections.flatMap(({ title, blocks }) => {
    const lines = blocks.flatMap((block) => textBlock(block, report));
    if (title === null || lines.length === 0) return lines;
    return ['', '', ...wrapText(title, WIDTH), '-'.repeat(Math.min(WIDTH, displayWidth(title))), ...lines];
  });
  return `${[...head, ...sections].join('\n')}\n`;
}

function textBlock(block: Block, { language }: Report): string[] {
  switch (block.kind) {
    case 'text':
      return ['', ...wrapText(block.text, WIDTH)];
    case 'points':
      return [
        '',
        ...block.points.flatMap((point, i) => {
          const mark = `${i + 1}. `;
          if (typeof point === 'string') return indented(mark, point);
          return [...indented(mark, point.title), ...indented(' '.repeat(mark.length), point.text)];
        }),
      ];
    case 'facts':
      return ['', ...list(block.facts)];
    case 'table': {
      const few: TableBlock = block.shown === undefined ? block : { ...block, shown: Math.min(block.shown, MAX_ROWS) };
      const { notes } = shownTable(few, language);
      return [
        '',
        ...wrapText(`${block.table.title}`, WIDTH),
        '',
        ...(block.table.rows.length === 0 ? [pickReportTexts(language).nothing] : textTable(few, language, WIDTH)),
        ...notes.flatMap((note) => indented('  ', note)),
      ];
    }
    case 'chart':
      // Its numbers are in a table or sentence next to it.
      return [];
  }
}

function list(facts: readonly (readonly [string, string])[]): string[] {
  const label = Math.min(MAX_LABEL, Math.max(0, ...facts.map(([name]) => displayWidth(name) + 1)));
  return facts.flatMap(([name, value]) => labelled(name, value, label, WIDTH));
}

function indented(mark: string, text: string): string[] {
  return wrapText(text, WIDTH - mark.length).map((line, i) => (i === 0 ? mark : ' '.repeat(mark.length)) + line);
}
