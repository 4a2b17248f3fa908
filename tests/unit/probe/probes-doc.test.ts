import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { LAB_PATHS } from '../../../collector/lab/servers/lab-answer.ts';
import { DEFAULT_REQUESTS_PER_HOUR, MAX_REQUESTS_PER_HOUR } from '../../../shared/probes/probe-budget.ts';
import { MAX_SIZE_CHANGE } from '../../../shared/probes/prove-request.ts';
import {
  DEFAULT_PAUSE_MS,
  DEFAULT_TIMEOUT_MS,
  DEFAULT_WARMUPS,
  REQUESTS_PER_REPETITION,
} from '../../../shared/probes/sequence-request.ts';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';

const doc = await readFile('docs/probes.md', 'utf8');
const words = await readFile('shared/vocabulary/probe-words.ts', 'utf8');
const flat = doc.replace(/\s+/g, ' ');

test('every method and every reason is documented', () => {
  const named = [...words.matchAll(/^\s*(?:\||export type \w+ =)\s*'([a-z_]+)'/gm)].map(([, word]) => word);
  const other = [...words.matchAll(/`(\w+)[:_]\$\{/g)].map(([, word]) => word);
  expect(named.length).toBeGreaterThan(15);
  expect(other).toEqual(['error', 'status']);
  for (const word of named) expect(doc, word).toContain(`\`${word}\``);
  expect(doc).toContain('`error:<code>`');
  expect(doc).toContain('`status_<n>`');
});

test('the limits are those in force', () => {
  expect(flat).toContain(`no response within ${DEFAULT_TIMEOUT_MS / 1000} s`);
  expect(flat).toContain(`${DEFAULT_PAUSE_MS / 2} to ${DEFAULT_PAUSE_MS * 1.5} ms apart`);
  expect(flat).toContain(`${REQUESTS_PER_REPETITION} requests per repetition and ${2 * DEFAULT_WARMUPS} for warm-up`);
  expect(flat).toContain(`more than ${MAX_SIZE_CHANGE * 100} %`);
  expect(flat).toContain(`more than ${MAX_REQUESTS_PER_HOUR}, and the browser`);
  expect(flat).toContain(`"requestsPerHour": ${DEFAULT_REQUESTS_PER_HOUR}`);
});

test('the paths of the lab are listed as it lists them itself', () => {
  for (const [path, what] of LAB_PATHS)
    expect(doc).toMatch(new RegExp(`\\| \`${literal(path)}\` +\\| ${literal(what)} +\\|`));
});

test('the example of a schedule is valid', () => {
  const probes: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(doc)?.[1] ?? '');
  const targets = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }];
  expect(validateSettings({ version: 1, targets, probes })).toMatchObject({ ok: true });
});

function literal(text: string): string {
  return text.replace(/[.()]/g, '\\$&');
}
