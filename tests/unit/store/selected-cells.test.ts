import { expect, test } from 'vitest';
import { isSelected, ofRollup, ofSample, toDimensions } from '../../../collector/storage/clickhouse/selected-cells.ts';
import { selectCells } from '../../../collector/storage/passes/cell-selection.ts';

const IS_LIVE = "`source` NOT IN ('har', 'load') AND NOT startsWith(`source`, 'har-')";

test('cells are told apart by what a question groups by, and by what its filters need a value of', () => {
  const selection = selectCells(['host'], { site: ['Berlin'], 'not.type': ['image'] });
  expect(toDimensions(selection)).toEqual(['host', 'site']);
});

test('a scenario is made of two dimensions, and its filter is left to the reader', () => {
  const selection = selectCells(['scenario'], { scenario: ['https_new'], type: ['fetch'] });
  expect(toDimensions(selection)).toEqual(expect.arrayContaining(['scheme', 'connection', 'type']));
  expect(isSelected(selection, ofRollup).sql).not.toContain('scenario');
});

test('no rollup knows paths', () => {
  expect(() => toDimensions({ dimensions: ['template'] })).toThrow('No rollup knows templates.');
});

test('values are bound, whatever they are, and never part of the statement', () => {
  const hostile = "x') OR 1 = 1 --";
  const { sql, params } = isSelected(selectCells(['host'], { host: [hostile], 'not.site': ['Lyon', ''] }), ofSample);
  expect(sql).not.toContain(hostile);
  expect(sql).toContain("ifNull(sample.`host`, '') IN {filter0:Array(String)}");
  expect(sql).toContain("ifNull(sample.`site`, '') NOT IN {filter1:Array(String)}");
  expect(params).toMatchObject({ filter0: [hostile], filter1: ['Lyon'] });
});

test('imported recordings, loads and requests that are kept open are read only if they are named', () => {
  const usual = isSelected(selectCells(['host'], {}), ofRollup);
  expect(usual.sql).toBe(`\`type\` NOT IN {filter0:Array(String)} AND ${IS_LIVE}`);
  expect(usual.params).toEqual({ filter0: ['long_lived'] });
  const named = isSelected(selectCells(['host'], { source: ['har'], type: ['long_lived'] }), ofRollup);
  expect(named.sql).toBe('`source` IN {filter0:Array(String)} AND `type` IN {filter1:Array(String)}');
});
