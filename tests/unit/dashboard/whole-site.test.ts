import { expect, test } from 'vitest';
import { isPage, wholeSite } from '../../../collector/dashboard/model/whole-site.ts';
import { validateMatchPattern } from '../../../shared/redact/match-pattern.ts';

test.each([
  ['erp.example.com', 'https://erp.example.com/*'],
  ['erp.example.com/start', 'https://erp.example.com/*'],
  ['localhost:3000', 'https://localhost:3000/*'],
  ['https://erp.example.com', 'https://erp.example.com/*'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/*'],
  ['HTTPS://ERP.example.com:8443/app?tab=1#top', 'https://erp.example.com:8443/*'],
  ['http://[::1]/', 'http://[::1]/*'],
])('%s means all of %s', (line, pattern) => {
  expect(wholeSite(line)).toBe(pattern);
  expect(validateMatchPattern(pattern)).toBeNull();
});

test.each([
  'https://erp.example.com/*',
  '*.example.com',
  'two hosts',
  'ftp://files.example.com/',
  'https://',
  '<all_urls>',
])('%s is left to the checks', (line) => {
  expect(wholeSite(line)).toBeNull();
});

test('an address with a path is valid, and matches only itself', () => {
  for (const line of ['https://erp.example.com/', 'http://a.test:80/x']) {
    expect([line, isPage(line), validateMatchPattern(line)]).toEqual([line, true, null]);
  }
  for (const line of ['erp.example.com/', 'https://erp.example.com']) {
    expect([line, isPage(line), validateMatchPattern(line)]).toEqual([line, false, 'no_pattern']);
  }
});
