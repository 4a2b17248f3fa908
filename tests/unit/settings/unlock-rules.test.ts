import { expect, test } from 'vitest';
import { targetPermissions } from '../../../shared/settings/target-permissions.ts';
import { unlockRules } from '../../../shared/settings/unlock-rules.ts';

const unlockTimings = ['cdn.example.net', 'fonts.example.org'];

test('nothing is unlocked unless a target asks for it', () => {
  expect(unlockRules([{ match: ['https://erp.example.com/*'] }])).toEqual([]);
  expect(unlockRules([{ match: ['https://erp.example.com/*'], unlockTimings: [] }])).toEqual([]);
});

test('the header names the origins of one host, so that a subdomain is told nothing', () => {
  expect(
    unlockRules([{ match: ['https://erp.example.com/app/*', '*://erp.example.com:8443/*'], unlockTimings }]),
  ).toEqual([
    {
      requestDomains: unlockTimings,
      initiatorDomains: ['erp.example.com'],
      value: 'https://erp.example.com, http://erp.example.com:8443, https://erp.example.com:8443',
    },
  ]);
});

test('every subdomain or every port needs a star', () => {
  const rules = unlockRules([{ match: ['https://*.example.com/*', 'https://erp.test:*/*'], unlockTimings }]);
  expect(rules.map(({ initiatorDomains, value }) => [initiatorDomains, value])).toEqual([
    [['example.com'], '*'],
    [['erp.test'], '*'],
  ]);
});

test('permissions are asked for the pages and, only where they are unlocked, for the hosts', () => {
  expect(targetPermissions({ match: ['https://erp.example.com:8443/*'] })).toEqual(['https://erp.example.com/*']);
  expect(targetPermissions({ match: ['https://erp.example.com/*'], unlockTimings: ['cdn.example.net'] })).toEqual([
    'https://erp.example.com/*',
    'http://*.cdn.example.net/*',
    'https://*.cdn.example.net/*',
  ]);
});
