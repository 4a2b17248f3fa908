import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { INITIATORS, PATH_ENDINGS } from '../../../shared/classify/resource-type.ts';
import { PLACEHOLDERS } from '../../../shared/redact/fold-segment.ts';
import { toTemplate } from '../../../shared/redact/path-template.ts';
import { SERVER_TIME_METRICS } from '../../../shared/timing/server-timing.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { CONNECTIONS, EXCLUSIONS, RESOURCE_TYPES, UNKNOWN_REASONS } from '../../../shared/vocabulary/vocabulary.ts';

const page = readFileSync(new URL('../../../docs/measurement.md', import.meta.url), 'utf8');
const row = (first: string) => page.split('\n').find((line) => line.split('|')[1]?.trim() === first) ?? '';

it.each([
  ['times', TIME_NAMES],
  ['reasons', UNKNOWN_REASONS],
  ['exclusions', EXCLUSIONS],
  ['connection classes', CONNECTIONS],
  ['placeholders', PLACEHOLDERS],
])('docs/measurement.md has a row for each of the %s', (_, words) => {
  for (const word of words) expect(row(`\`${word}\``), word).not.toBe('');
});

it('names each evidence of a connection class', () => {
  const source = readFileSync(new URL('../../../shared/classify/connection.ts', import.meta.url), 'utf8');
  const words = [...source.matchAll(/evidence: '(\w+)'/g)].map(([, word]) => word);
  expect(words.length).toBeGreaterThan(5);
  for (const word of words) expect(page).toContain(`\`${word}\``);
});

it('prints the table of resource types as the code has it', () => {
  for (const type of RESOURCE_TYPES.filter((name) => name !== 'other')) {
    const words = row(type).split(/[\s|,]+/);
    const initiators = Object.keys(INITIATORS).filter((name) => INITIATORS[name] === type);
    for (const name of initiators) expect(words, `${type}: ${name}`).toContain(name);
    for (const ending of words.filter((word) => word.startsWith('.'))) {
      expect(PATH_ENDINGS.find(([pattern]) => pattern.test(ending))?.[1], ending).toBe(type);
    }
  }
});

it('gives examples of templates that are true', () => {
  const examples = [...page.matchAll(/`(\/[^`]+)` → `(\/[^`]+)`/g)];
  expect(examples.length).toBeGreaterThan(5);
  for (const [, path = '', template] of examples) expect(toTemplate(path)).toBe(template);
});

it('names the metrics taken for the server time in their order', () => {
  expect(page.replace(/\s+/g, ' ')).toContain(SERVER_TIME_METRICS.map((name) => `\`${name}\``).join(', '));
});
