import { expect, test } from 'vitest';
import { isExcludedByRule, validateExclusionPath } from '../../../shared/settings/exclusion-rules.ts';
import { validateNewSettings, validateSettings } from '../../../shared/settings/validate-settings.ts';

const SAMPLE = { host: 'erp.example.com', template: '/api/orders/{n}', type: 'fetch' } as const;

test.each([
  [{ host: 'erp.example.com' }, true],
  [{ host: 'example.com' }, false],
  [{ type: 'fetch' as const }, true],
  [{ type: 'fetch' as const, host: 'cdn.example.com' }, false],
  [{ path: '/api/orders/{n}' }, true],
  [{ path: '/api/orders' }, false],
  [{ path: '/api/*/{n}' }, true],
  [{ path: '/*' }, false],
  [{ path: '/api/**' }, true],
  [{ path: '/api/orders/{n}/**' }, true],
  [{ path: '/api/orders/{n}/x/**' }, false],
  [{ path: '/**', type: 'image' as const }, false],
])('%j', (rule, excluded) => {
  expect(isExcludedByRule(SAMPLE, [rule])).toBe(excluded);
});

test('one rule of several is enough, and none is none', () => {
  expect(isExcludedByRule(SAMPLE, [{ type: 'image' }, { path: '/api/**' }])).toBe(true);
  expect(isExcludedByRule(SAMPLE, [])).toBe(false);
  expect(isExcludedByRule(SAMPLE, undefined)).toBe(false);
});

test('a path that could match nothing is refused, with its place', () => {
  for (const path of ['health', '/a?b', '/a b', '/he*', '/**/x', '/a***']) {
    expect(validateExclusionPath(path), path).not.toBeNull();
  }
  for (const path of ['/', '/health', '/a/*/b', '/a/**']) expect(validateExclusionPath(path), path).toBeNull();
  const target = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] };
  const verdict = validateSettings({
    version: 1,
    targets: [{ ...target, exclude: [{ type: 'fetch' }, { path: 'x' }] }],
  });
  expect(verdict).toMatchObject({ ok: false, problems: [{ path: '/targets/0/exclude/1/path' }] });
  expect(validateSettings({ version: 1, targets: [{ ...target, exclude: [{}] }] }).ok).toBe(false);
});

test.each([
  ['/orders/4711', '/orders/{n}'],
  ['/a//b', '/a/b'],
  ['/users/jane.doe@example.com', '/users/{email}'],
  ['/%C3%A4', '/ä'],
  ['/orders/4711/**', '/orders/{n}/**'],
  ['/orders/*/4711', '/orders/*/{n}'],
])('the path %s is refused for %s, which requests are named by; a stored one stays', (path, named) => {
  const target = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'], exclude: [{ path }] };
  expect(validateNewSettings({ version: 1, targets: [target] })).toMatchObject({
    ok: false,
    problems: [{ path: '/targets/0/exclude/0/path', code: 'exclusion_path', message: expect.stringContaining(named) }],
  });
  expect(validateSettings({ version: 1, targets: [target] }).ok).toBe(true);
});

test.each([
  ['/health/**'],
  ['/api/*/ping'],
  ['/orders/{n}'],
  ['/orders/{n}/*'],
  ['/app/'],
  ['/ä/x'],
  ['/sap/bc/gui/*/it03'],
])('the path %s can match', (path) => {
  const target = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'], exclude: [{ path }] };
  expect(validateNewSettings({ version: 1, targets: [target] }).ok).toBe(true);
});

test('a number that a template rule keeps can be excluded', () => {
  const target = {
    id: 'erp',
    name: 'ERP',
    match: ['https://erp.example.com/*'],
    templateRules: ['/orders/4711/{who}'],
  };
  for (const path of ['/orders/4711/{who}', '/orders/4711/*'])
    expect(validateNewSettings({ version: 1, targets: [{ ...target, exclude: [{ path }] }] }).ok).toBe(true);
});
