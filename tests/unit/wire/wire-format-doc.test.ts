import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ERROR_STATUS } from '../../../collector/http/api/errors.ts';
import { DICTIONARY_RULES } from '../../../collector/ingest/decode/dictionary-rules.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import * as vocabulary from '../../../shared/vocabulary/vocabulary.ts';
import * as limits from '../../../shared/vocabulary/wire-limits.ts';
import { BROWSER_STATES, SKIP_REASONS } from '../../../shared/wire/browser-status.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { DROPPED_REASONS, LOST_REASONS, PROBE_METHODS, PROBE_REASONS } from '../../../shared/wire/status-words.ts';
import { BATCH_CODES, ROW_CODES } from '../../../shared/wire/wire-codes.ts';
import { BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { STATUS } from './status-fixture.ts';

const doc = await readFile('docs/wire-format.md', 'utf8');

/** The lines between one heading and the next. */
function section(heading: string): string {
  const body = doc.split(`\n## ${heading}\n`)[1];
  if (body === undefined) throw new Error(`docs/wire-format.md has no section ${heading}`);
  return body.split('\n## ')[0] ?? '';
}

/** Rows of its tables, by what stands in the first cell. */
function table(heading: string): Map<string, string[]> {
  const rows = section(heading).matchAll(/^\| `([^`]+)` +\|(.*)\|$/gm);
  return new Map([...rows].map(([, name = '', rest = '']) => [name, rest.split('|').map((cell) => cell.trim())]));
}

test('every row code is documented, and nothing else', () => {
  expect([...table('Row codes').keys()]).toEqual([...ROW_CODES]);
});

test('every error code is documented with its status, and nothing else', () => {
  const documented = [...table('Error codes')].map(([code, [status]]) => [code, Number(status)]);
  expect(Object.fromEntries(documented)).toEqual(ERROR_STATUS);
  for (const code of BATCH_CODES) expect(ERROR_STATUS).toHaveProperty(code);
});

test('every limit is documented with its value', () => {
  const { OVERFLOW_NAME, ...numbers } = limits;
  const documented = [...table('Limits')].map(([name, [value = '']]) => [
    name,
    Number(/^[\d,]+/.exec(value)?.[0].replaceAll(',', '')),
  ]);
  expect(Object.fromEntries(documented)).toEqual(numbers);
  expect(doc).toContain(`\`${OVERFLOW_NAME}\``);
});

test('every field of a batch is documented, and nothing else', () => {
  const batch = encodeBatch(ORIGIN, BATCH_ID, NOW, [PLAIN_SAMPLE], STATUS);
  expect([...table('The batch').keys()]).toEqual(Object.keys(batch));
});

test('every field of a status is documented, and nothing else', () => {
  const documented = [...table('Status').keys()].map((name) => name.replace('status.', '').replaceAll('[]', ''));
  const turn = [...new Set(STATUS.turns.flatMap(Object.keys))].map((name) => `turns.${name}`);
  expect(documented).toEqual([...Object.keys(STATUS), ...turn]);
  const words = [BROWSER_STATES, SKIP_REASONS, DROPPED_REASONS, LOST_REASONS, PROBE_METHODS, PROBE_REASONS].flat();
  for (const word of words) expect(section('Status')).toContain(`\`${word}\``);
});

test('every dictionary is documented, in its order, and nothing else', () => {
  expect([...table('Columns with a dictionary').keys()]).toEqual(Object.keys(DICTIONARY_RULES));
});

test('every column of numbers is documented, and nothing else', () => {
  const rest = { error: 'x', idleMs: 1, journey: 'a', step: 1, run: NOW } as const;
  const { columns } = encodeBatch(ORIGIN, BATCH_ID, NOW, [{ ...PLAIN_SAMPLE, ...rest }]);
  const { times: _times, metrics: _metrics, ...others } = columns;
  const numbers = Object.keys(others).filter((name) => !(name in DICTIONARY_RULES));
  const expected = [...numbers, ...TIME_NAMES.map((name) => `times.${name}`), 'metrics.<name>'];
  expect([...table('Columns of numbers').keys()].sort()).toEqual(expected.sort());
});

test.each([
  ['scheme', vocabulary.SCHEMES],
  ['type', vocabulary.RESOURCE_TYPES],
  ['protocol', [...vocabulary.PROTOCOLS, limits.OVERFLOW_NAME]],
  ['source', [...vocabulary.SOURCES, 'probe-…']],
  ['connection', vocabulary.CONNECTIONS],
  ['handshake', vocabulary.HANDSHAKES],
  ['excluded', vocabulary.EXCLUSIONS],
  ['responseMark', vocabulary.RESPONSE_MARKS],
])('every word of %s is documented, and nothing else', (name, words) => {
  const [entry = ''] = table('Columns with a dictionary').get(name) ?? [];
  expect(quoted(entry).sort()).toEqual([...words].sort());
});

test('every reason for an unknown time is documented, and nothing else', () => {
  const sentence = /Reasons in `unknown`: ([\s\S]*?)\.\n/.exec(doc)?.[1] ?? '';
  expect(quoted(sentence)).toEqual([...vocabulary.UNKNOWN_REASONS]);
});

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}
