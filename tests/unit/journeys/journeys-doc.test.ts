import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STEP_SCHEMAS } from '../../../shared/journeys/recording.ts';
import { BREAK_REASONS } from '../../../shared/vocabulary/break-reasons.ts';

const doc = readFileSync('docs/journeys.md', 'utf8');
const named = new Set(Array.from(doc.matchAll(/`([\w/]+)`/g), ([, name]) => name));

test('docs/journeys.md has each step that runs, each reason of a break, and each problem of a recording', () => {
  const source = readFileSync('shared/journeys/read-recording.ts', 'utf8');
  const codes = Array.from(source.matchAll(/code: '(\w+)'/g), ([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(8);
  // Only a browser's extension can meet it.
  const reasons = BREAK_REASONS.filter((reason) => reason !== 'untrusted_events');
  expect([...Object.keys(STEP_SCHEMAS), ...reasons, ...codes].filter((name) => !named.has(name))).toEqual([]);
});
