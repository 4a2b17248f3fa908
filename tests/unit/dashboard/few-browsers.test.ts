import { expect, test } from 'vitest';
import { ENGLISH } from '../../../collector/analysis/text/english.ts';
import { GERMAN } from '../../../collector/analysis/text/german.ts';
import { methodNote } from '../../../collector/dashboard/model/method-note.ts';
import { headlineCell } from '../../../collector/dashboard/model/overview-row.ts';
import { groupLabel } from '../../../collector/dashboard/model/value-label.ts';
import { FEW_BROWSERS } from '../../../shared/vocabulary/dimensions.ts';
import { fleetCell, fleetSummary } from './summary-fixture.ts';

test('the folded group is never the headline', () => {
  const cell = fleetCell('erp.example.com', 'script');
  const few = { ...cell, host: FEW_BROWSERS, type: FEW_BROWSERS, samples: cell.samples * 10 };
  expect(headlineCell([few, cell])).toBe(cell);
  expect(headlineCell([few])).toBeNull();
});

test('a site that few browsers are folded with is named', () => {
  const cell = { ...fleetCell('erp.example.com', 'script'), site: FEW_BROWSERS };
  expect(groupLabel('site', cell, null)).toBe('(few browsers)');
  expect(groupLabel('site', { ...cell, foldedWith: 'Chennai' }, null)).toBe('Chennai and few browsers');
  expect(GERMAN.withFewBrowsers('Chennai')).toBe('Chennai und wenige Browser');
});

test('one text explains what was folded and why', () => {
  const folded = { below: 5, shownTogether: true };
  expect(ENGLISH.folded(folded)).toBe(
    'Groups of few browsers are shown only together, as (few browsers), so that no number reveals anything about fewer than 5 browsers, directly or by subtraction',
  );
  const { method } = fleetSummary();
  expect(methodNote({ ...method, folded: { ...folded, shownTogether: false } }, null).folded).toBe(
    'Groups of few browsers are left out, so that no number reveals anything about fewer than 5 browsers, directly or by subtraction',
  );
});

test('reports explain it in German too, for shown and for omitted groups', () => {
  for (const shownTogether of [true, false]) {
    expect(GERMAN.folded({ below: 5, shownTogether })).toMatch(
      /^Gruppen mit wenigen Browsern .* weniger als 5 Browser/,
    );
  }
});
