import { expect, test } from 'vitest';
import { boundedNames } from '../../../extension/background/bounded-names.ts';
import type { NameRegistry } from '../../../shared/redact/name-registry.ts';

const TARGETS = [{ id: 'app' }];
const templates = (count: number) => Array.from({ length: count }, (_, index) => `/page-${index}`);
const registry = (targets: NameRegistry['targets']): NameRegistry => ({ targets, foldedHosts: 1, foldedTemplates: 2 });

test('what fits is the same object', () => {
  const small = registry({ app: { 'app.test': ['/'] }, gone: { 'gone.test': ['/'] } });
  expect(boundedNames(small, TARGETS, 1_000)).toBe(small);
});

test('targets that are gone go first, then the older half of the fullest host', () => {
  const full = registry({
    app: { 'app.test': templates(100), 'small.test': ['/only'] },
    gone: { 'gone.test': templates(100) },
  });
  const bounded = boundedNames(full, TARGETS, 1_000);
  expect(JSON.stringify(bounded.targets).length).toBeLessThanOrEqual(1_000);
  expect(Object.keys(bounded.targets)).toEqual(['app']);
  expect(bounded.targets.app?.['small.test']).toEqual(['/only']);
  expect(bounded.targets.app?.['app.test']?.at(-1)).toBe('/page-99');
  expect(bounded).toMatchObject({ foldedHosts: 1, foldedTemplates: 2 });
});

test('ends also where single names are longer than all that is allowed', () => {
  const long = registry({ app: { [`${'h'.repeat(300)}.test`]: [`/${'x'.repeat(500)}`], 'b.test': ['/'] } });
  expect(boundedNames(long, TARGETS, 100).targets).toEqual({ app: { 'b.test': ['/'] } });
});
