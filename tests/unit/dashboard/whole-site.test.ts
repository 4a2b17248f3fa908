import { expect, test } from 'vitest';
import { hostName, isPage, wholeSite } from '../../../collector/dashboard/model/whole-site.ts';
import { validateMatchPattern } from '../../../shared/redact/match-pattern.ts';

test.each([
  ['erp.example.com', 'https://erp.example.com/*'],
  ['erp.example.com/start', 'https://erp.example.com/*'],
  ['localhost:3000', 'https://localhost:3000/*'],
  ['https://erp.example.com', 'https://erp.example.com/*'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/*'],
  ['HTTPS://ERP.example.com:8443/app?tab=1#top', 'https://erp.example.com:8443/*'],
  ['http://[::1]/', 'http://[::1]/*'],
  ['[::1]:8080', 'https://[::1]:8080/*'],
  ['https://erp.example.com:443//x@y', 'https://erp.example.com/*'],
  ['erp.example.com.', 'https://erp.example.com/*'],
  ['müller.example.de/start', 'https://xn--mller-kva.example.de/*'],
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
  'http//erp.example.com',
  'https:/erp.example.com',
  'https:///erp.example.com',
  'https://https://erp.example.com',
  'mailto:x@y.de',
  'me@erp.example.com',
  'https://me:secret@erp.example.com/',
  'C:\\temp',
  'erp.example.com\\start',
  'erp.example.com:/start',
  'erp.example.com:99999',
  '1',
  '1:8080',
  'https://0x7f.1/',
  `${'a'.repeat(60)}.`.repeat(5),
])('%s is left to the checks', (line) => {
  expect(wholeSite(line)).toBeNull();
});

test('a host is named as people read it', () => {
  expect(hostName('https://xn--mller-kva.example.de:8443/*')).toBe('müller.example.de:8443');
  expect(hostName('*://*.example.com/app/*')).toBe('example.com');
  expect(hostName('http://[::1]:8080/*')).toBe('[::1]:8080');
});

test('an address with a path is valid, and matches only itself', () => {
  for (const line of ['https://erp.example.com/', 'http://a.test:80/x']) {
    expect([line, isPage(line), validateMatchPattern(line)]).toEqual([line, true, null]);
  }
  for (const line of ['erp.example.com/', 'https://erp.example.com']) {
    expect([line, isPage(line), validateMatchPattern(line)]).toEqual([line, false, 'no_pattern']);
  }
});
