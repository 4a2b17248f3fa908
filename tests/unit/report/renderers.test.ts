import { expect, test } from 'vitest';
import { column } from '../../../collector/analysis/tables/table-document.ts';
import { renderHtml } from '../../../collector/reports/render/html/render-html.ts';
import { renderPdf } from '../../../collector/reports/render/pdf/render-pdf.ts';
import { renderMarkdown } from '../../../collector/reports/render/render-markdown.ts';
import { renderText } from '../../../collector/reports/render/render-text.ts';
import { displayWidth } from '../../../collector/reports/render/wrap-text.ts';
import { readPdf } from './pdf-text.ts';
import { reportOf } from './report-of.ts';

const steering = (text: string) =>
  ['\u001b', '\u202e', '\u2066', '\u200f', '\u200b', '\ud800', '\u{e0041}'].some((sign) => text.includes(sign));

const noChart = () => {
  throw new Error('nothing to draw');
};

const TIMES = {
  title: 'Connection times',
  columns: [
    column('name', 'Group', 'text'),
    column('n', 'Requests', 'count'),
    column('min', 'Min', 'ms'),
    column('mean', 'Mean', 'ms'),
    column('share', 'Over 1 s', 'share'),
  ],
  rows: [
    { name: 'https-reused', n: 18_796, min: 4, mean: 55.04, share: 0.002 },
    { name: 'https-new', n: 3054, min: 0.03, mean: 1098.2, share: 0 },
    { name: 'opaque', n: 0, min: null, mean: null, share: null },
  ],
  notes: ['A note.'],
};

test('text has no heading above charts alone, which it cannot draw', () => {
  const { sections, ...rest } = reportOf([TIMES]);
  const chart = { kind: 'histogram', lines: [] } as const;
  const drawn = { title: 'Histogram', blocks: [{ kind: 'chart', title: '', description: '', chart } as const] };
  expect(renderText({ ...rest, sections: [drawn, ...sections] })).toBe(renderText({ ...rest, sections }));
});

test('text reads like a terminal’s table', () => {
  expect(renderText(reportOf([TIMES]))).toBe(`Title
=====
1 to 2, UTC


Section
-------

Connection times

Group         Requests  Min (ms)  Mean (ms)  Over 1 s
------------  --------  --------  ---------  --------
https-reused    18,796       4.0         55     0.2 %
https-new        3,054      <0.1      1,098       0 %
opaque               0         –          –         –
  A note.
`);
});

test('markdown is a table, and reads as one before it is drawn', () => {
  expect(renderMarkdown(reportOf([TIMES]))).toContain(`### Connection times

| Group        | Requests | Min (ms) | Mean (ms) | Over 1 s |
| ------------ | -------: | -------: | --------: | -------: |
| https-reused |   18,796 |      4.0 |        55 |    0.2 % |
`);
});

test('a table too wide for a terminal is told in parts, none wider than 80 columns', () => {
  const columns = [
    column('host', 'Host', 'text'),
    ...Array.from({ length: 20 }, (_, i) => column(`c${i}`, `Some heading ${i}`, 'ms')),
  ];
  const row = (host: string) => ({
    host,
    ...Object.fromEntries(columns.slice(1).map(({ name }, i) => [name, i * 1000])),
  });
  const rows = Array.from({ length: 4 }, (_, i) => row(`a-very-long-host-name-${i}.department.example.com`));
  const lines = renderText(reportOf([{ title: 'Wide', columns, rows, notes: [] }])).split('\n');
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80);
  expect(lines.filter((line) => line.startsWith('Host')).length).toBeGreaterThan(1);
  for (let i = 0; i < 20; i++) expect(lines.join('\n')).toContain(`${i * 1000 === 0 ? '0' : `${i},000`}`);
});

test('names from other people’s pages steer neither a terminal nor a page', async () => {
  const name = '\u001b[31m<script>alert(1)</script>|\u202e\u2066\u200f\u200b\ud800 \u{e0041}`x`';
  const table = { title: name, columns: [column('a', name, 'text')], rows: [{ a: name }], notes: [name] };
  const report = { ...reportOf([table]), title: name, subtitle: name };
  expect(steering(renderText(report))).toBe(false);
  const html = renderHtml(report, noChart);
  expect([steering(html), html.includes('<script')]).toEqual([false, false]);
  expect(html).toContain('&lt;script&gt;');
  const { pages } = readPdf(await renderPdf(report, noChart));
  expect(steering(pages.flat().join('\n'))).toBe(false);
  expect(pages.flat().join('')).toContain('\ufffd');
  const markdown = renderMarkdown(report);
  expect(steering(markdown)).toBe(false);
  expect(markdown).not.toMatch(/<script|[^\\]\|alert|[^\\]`x/);
});

test('HTML needs nothing from anywhere and runs nothing', () => {
  const html = renderHtml(reportOf([TIMES]), noChart);
  expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
  expect(html).not.toMatch(/<script|<link|<img|https?:|style="|\son\w+=/);
  expect(html).toContain('<caption>Connection times</caption>');
  expect(html).toContain('<th scope="row">https-reused</th><td class="number">18,796</td>');
});

test('rows beyond those that are shown are counted where a person reads', () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({ name: `g${i}`, n: i, min: i, mean: i, share: 0 }));
  const report = reportOf([]);
  const cut = {
    ...report,
    sections: [{ title: 'S', blocks: [{ kind: 'table' as const, table: { ...TIMES, rows }, shown: 20 }] }],
  };
  expect(renderMarkdown(cut)).toContain('10 more rows are not shown here');
  expect(renderHtml({ ...cut, language: 'de' }, noChart)).toContain('10 weitere Zeilen');
  expect(renderText(cut)).toContain('15 more rows');
});
