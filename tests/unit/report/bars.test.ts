import { expect, test } from 'vitest';
import { column } from '../../../collector/analysis/tables/table-document.ts';
import type { Report, TableBlock } from '../../../collector/reports/document/report-document.ts';
import { renderHtml } from '../../../collector/reports/render/html/render-html.ts';
import { renderPdf } from '../../../collector/reports/render/pdf/render-pdf.ts';
import { renderCsv } from '../../../collector/reports/render/render-csv.ts';
import { renderText } from '../../../collector/reports/render/render-text.ts';
import { readPdf } from './pdf-text.ts';
import { reportOf } from './report-of.ts';

const noChart = () => {
  throw new Error('nothing to draw');
};

function barTable(rows: number): TableBlock {
  return {
    kind: 'table',
    bar: [
      { name: 'net', label: 'network', colour: 'var(--phase-tcp)' },
      { name: 'srv', label: 'server', colour: 'var(--phase-wait)' },
    ],
    table: {
      title: 'By app',
      columns: [
        column('name', 'App', 'text'),
        column('most', 'What for', 'text'),
        column('net', 'network', 'share'),
        column('srv', 'server', 'share'),
      ],
      rows: Array.from({ length: rows }, (_, i) => ({ name: `App ${i}`, most: 'server 75 %', net: 0.25, srv: 0.75 })),
      notes: [],
    },
  };
}

function withBars(rows: number, opening = 0): Report {
  const lines = Array.from({ length: opening }, () => ({ kind: 'text', text: 'A line.' }) as const);
  return {
    ...reportOf([]),
    sections: [
      { title: null, blocks: [...lines, barTable(rows)] },
      { title: 'Second', newPage: true, blocks: [{ kind: 'text', text: 'More.' }] },
    ],
  };
}

test('shares that make a whole are one bar to readers, and columns of numbers in CSV', async () => {
  const report = withBars(1);
  const html = renderHtml(report, noChart);
  expect(html).toContain('<rect x="0.00" width="25.00" height="10" fill="#1d7d91"/>');
  expect(html).toContain('<rect x="25.00" width="75.00" height="10" fill="#3f5fb0"/>');
  expect(html).toMatch(/<span class="key">.*network.*server/);
  expect(renderText(report)).toMatch(/^App +What for\n[- ]+\nApp 0 +server 75 %$/m);
  expect(renderCsv(report)).toMatch(/^App 0,server 75 %,0\.25,0\.75\r?$/m);
  const { pages } = readPdf(await renderPdf(report, noChart));
  expect(pages[0]?.join(' ')).toContain('By app network server App What for App 0 server 75 %');
});

test.each([
  [0, 8],
  [34, 3],
])(
  'of tables with bars, the first page has as many rows as leave it one page: below %i lines %i',
  async (lines, rows) => {
    const { pages } = readPdf(await renderPdf(withBars(20, lines), noChart));
    expect(pages.map((pieces) => pieces.filter((piece) => piece.startsWith('App ')).length)).toEqual([rows, 0]);
    expect(pages[0]?.join(' ')).toContain(`${20 - rows} more rows are not shown here`);
  },
);

test('what opens a report has no heading', () => {
  expect(renderText(withBars(1))).toMatch(/^Title\n=+\n1 to 2, UTC\n\nBy app/);
  expect(renderHtml(withBars(1), noChart)).toMatch(/<section>\n<div/);
});

test('a point’s title stands out from its text', async () => {
  const report = reportOf([], [{ kind: 'points', points: [{ title: 'Do this.', text: 'For that.' }] }]);
  expect(renderText(report)).toContain('1. Do this.\n   For that.\n');
  expect(renderHtml(report, noChart)).toContain('<li><strong>Do this.</strong> For that.</li>');
});
