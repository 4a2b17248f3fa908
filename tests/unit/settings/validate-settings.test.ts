import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_SETTINGS, type Settings } from '../../../shared/settings/settings-schema.ts';
import { toExtensionSettings } from '../../../shared/settings/to-extension-settings.ts';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';

const ERP = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] };
const GOOD: Settings = { version: 1, targets: [ERP], delivery: { intervalSeconds: 30 } };

test('good documents pass as they are', () => {
  expect(validateSettings(GOOD)).toEqual({ ok: true, settings: GOOD });
  expect(validateSettings(EMPTY_SETTINGS)).toEqual({ ok: true, settings: EMPTY_SETTINGS });
});

test.each<[path: string, what: string, document: unknown]>([
  ['', 'null', null],
  ['', 'a list', []],
  ['', 'no targets', { version: 1 }],
  ['/version', 'a later version', { ...GOOD, version: 2 }],
  ['', 'a misspelt name', { ...GOOD, tragets: [] }],
  ['', 'an own __proto__', JSON.parse('{"version":1,"targets":[],"__proto__":{}}')],
  ['/targets/0/id', 'an id with capitals', { ...GOOD, targets: [{ ...ERP, id: 'ERP' }] }],
  ['/targets/0/match', 'no pattern', { ...GOOD, targets: [{ ...ERP, match: [] }] }],
  ['/targets/0/match/1', 'everything', { ...GOOD, targets: [{ ...ERP, match: [...ERP.match, '<all_urls>'] }] }],
  ['/targets/0/match/0', 'a bare host', { ...GOOD, targets: [{ ...ERP, match: ['erp.example.com'] }] }],
  [
    '/targets/0/templateRules/1',
    'a template rule that is no path',
    { ...GOOD, targets: [{ ...ERP, templateRules: ['/users/{user}/**', 'users'] }] },
  ],
  ['/targets/1/id', 'an id twice', { ...GOOD, targets: [ERP, ERP] }],
  ['/retention/sampleDays', 'samples gone before late ones come', { ...GOOD, retention: { sampleDays: 7 } }],
  ['/retention/hourDays', 'hours gone before their samples', { ...GOOD, retention: { sampleDays: 100 } }],
  ['/retention/monthDays', 'months gone before their days', { ...GOOD, retention: { monthDays: 400 } }],
  ['/delivery/intervalSeconds', 'no time between batches', { ...GOOD, delivery: { intervalSeconds: 0 } }],
])('%s: %s is refused at its place, with a hint', (path, _what, document) => {
  const verdict = validateSettings(document);
  if (verdict.ok) throw new Error('it passed');
  expect(verdict.problems.map((problem) => problem.path)).toContain(path);
  for (const problem of verdict.problems) {
    expect(problem.message).toMatch(/\S/);
    expect(problem.hint).toMatch(/\S/);
  }
});

test('the misspelt name is said', () => {
  expect(validateSettings({ ...GOOD, tragets: [] })).toMatchObject({ problems: [{ message: 'unknown name tragets' }] });
});

test('whatever comes, the answer is a verdict of at most 20 problems', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (targets, rest) => {
      for (const document of [targets, { version: 1, targets }, { ...GOOD, targets: [targets, rest] }]) {
        const verdict = validateSettings(document);
        if (!verdict.ok) expect(verdict.problems.length).toBeGreaterThan(0);
        if (!verdict.ok) expect(verdict.problems.length).toBeLessThanOrEqual(20);
      }
    }),
    { numRuns: 300, seed: 5 },
  );
});

test('browsers see targets and delivery, with defaults filled in', () => {
  expect(toExtensionSettings({ version: 1, targets: [ERP] }, 4)).toEqual({
    version: 1,
    revision: 4,
    targets: [ERP],
    delivery: { intervalSeconds: 60 },
  });
  expect(toExtensionSettings(GOOD, 5).delivery).toEqual({ intervalSeconds: 30 });
});

test.each([
  [{ target: [] }, 'Did you mean targets?'],
  [{ Targets: [] }, 'Did you mean targets?'],
  [{ retenton: {}, report: {} }, 'Did you mean retention, reports?'],
  [{ colour: 1 }, 'Check the spelling;'],
])('of a misspelt name the hint says which was probably meant: %j', (misspelt, hint) => {
  expect(validateSettings({ ...GOOD, ...misspelt })).toMatchObject({
    problems: [{ hint: expect.stringContaining(hint) }],
  });
});

test('no number of unknown names hides what is wrong', () => {
  const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]));
  const verdict = validateSettings({ ...names, version: 7, targets: 'x' });
  expect(verdict.ok ? [] : verdict.problems.length).toBeGreaterThan(0);
  const few = Object.fromEntries(Object.entries(names).slice(0, 12));
  const explained = validateSettings({ ...few, version: 7, targets: [ERP] });
  expect(explained.ok ? [] : explained.problems.map(({ path }) => path)).toContain('/version');
});

test('many problems are listed up to a number, and the rest is counted', () => {
  const targets = Array.from({ length: 25 }, () => ({ ...ERP, match: ['<all_urls>'] }));
  const verdict = validateSettings({ ...GOOD, targets });
  expect(verdict.ok ? [] : verdict.problems).toHaveLength(21);
  expect(verdict.ok ? '' : verdict.problems.at(-1)?.message).toBe('and 29 more');
});

test('half of a surrogate pair anywhere is refused by its place', () => {
  const [target] = GOOD.targets;
  const document = { ...GOOD, targets: [{ ...target, name: 'ERP \ud800' }] };
  expect(validateSettings(document)).toMatchObject({ ok: false, problems: [{ path: '/targets/0/name' }] });
  expect(validateSettings({ ...GOOD, targets: [{ ...target, name: 'ERP \u{1f600}' }] })).toMatchObject({ ok: true });
});

/** An item that counts how often it was looked at. */
function counted(length: number, item: unknown): { items: unknown[]; reads: () => number } {
  let reads = 0;
  const items = new Proxy(
    Array.from({ length }, () => item),
    {
      get(list, name, self) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
        return Reflect.get(list, name, self);
      },
    },
  );
  return { items, reads: () => reads };
}

test.each([
  ['targets', (items: unknown) => ({ version: 1, targets: items })],
  ['patterns', (items: unknown) => ({ version: 1, targets: [{ ...ERP, match: items }] })],
  ['rules', (items: unknown) => ({ ...GOOD, alerts: { webhooks: [], rules: items } })],
  ['sites', (items: unknown) => ({ ...GOOD, probes: { enabled: true, schedule: [{ sites: items }] } })],
])('a list of %s that is too long is refused by its length, not walked', (_what, documentOf) => {
  const { items, reads } = counted(100_000, 1);
  const verdict = validateSettings(documentOf(items));
  const messages = verdict.ok ? [] : verdict.problems.map(({ message }) => message);
  expect(messages).toContainEqual(expect.stringMatching(/must not have more than \d+ items/));
  expect(reads()).toBeLessThan(1000);
});

test('a document with thousands of faults is read until there are enough to show', () => {
  const { items, reads } = counted(200, { ...ERP, id: 'ERP' });
  const verdict = validateSettings({ version: 1, targets: items });
  expect(verdict.ok ? [] : verdict.problems).toHaveLength(21);
  expect(verdict.ok ? '' : verdict.problems.at(-1)?.message).toBe('and more');
  expect(reads()).toBeLessThan(50);
});

test('a choice is told as such, and of many unknown names some are quoted', () => {
  const alerts = { webhooks: [], rules: [{ id: 'slow', aboveMs: 1, statistic: 'mean' }] };
  expect(validateSettings({ ...GOOD, alerts })).toMatchObject({
    problems: [{ path: '/alerts/rules/0/statistic', message: 'must be one of median, p95' }],
  });
  const names = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]));
  const verdict = validateSettings({ ...GOOD, ...names });
  expect(verdict).toMatchObject({ problems: [{ message: 'unknown name k0, k1, k2, k3, k4 and 995 more' }] });
});
