import { expect, test } from 'vitest';
import { renderPdf } from '../../../collector/reports/render/pdf/render-pdf.ts';
import { readPdf } from './pdf-text.ts';
import { reportOf } from './report-of.ts';

const POINTS = Array.from({ length: 12 }, (_, i) => `Rule number ${i + 1}.`);

test('a list stands whole below what leads to it, wherever on the page that is', async () => {
  const moved = [];
  for (let lines = 20; lines < 50; lines += 3) {
    const before = Array.from({ length: lines }, () => ({ kind: 'text', text: 'A line.' }) as const);
    const report = reportOf(
      [],
      [...before, { kind: 'text', text: 'What counts:' }, { kind: 'points', small: true, points: POINTS }],
    );
    const { pages } = readPdf(
      await renderPdf(report, () => {
        throw new Error('no chart');
      }),
    );
    const page = pages.findIndex((texts) => texts.includes('What counts:'));
    expect([lines, pages[page]]).toEqual([lines, expect.arrayContaining(POINTS)]);
    moved.push(page);
  }
  expect(new Set(moved)).toEqual(new Set([0, 1]));
});
