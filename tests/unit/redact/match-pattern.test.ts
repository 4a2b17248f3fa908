import { describe, expect, it } from 'vitest';
import {
  canonicalPattern,
  exactHost,
  findTarget,
  hostPermission,
  validateMatchPattern,
  validateNewMatchPattern,
  withoutPort,
} from '../../../shared/redact/match-pattern.ts';

const matchesPattern = (pattern: string, url: string) => findTarget(url, [{ match: [pattern] }]) !== null;

describe('a pattern', () => {
  it.each([
    ['https://erp.example.com/*', 'https://erp.example.com/a?b=1', true],
    ['https://erp.example.com/*', 'http://erp.example.com/a', false],
    ['https://erp.example.com/*', 'https://erp.example.com.evil.test/a', false],
    ['https://erp.example.com/*', 'https://x.erp.example.com/a', false],
    ['https://ERP.example.com/*', 'https://erp.EXAMPLE.com/a', true],
    ['*://erp.example.com/*', 'http://erp.example.com/', true],
    ['*://erp.example.com/*', 'ftp://erp.example.com/', false],
    ['https://*.example.com/*', 'https://example.com/', true],
    ['https://*.example.com/*', 'https://a.b.example.com/', true],
    ['https://*.example.com/*', 'https://notexample.com/', false],
    ['https://erp.example.com/app/*', 'https://erp.example.com/app', false],
    ['https://erp.example.com/app*/edit', 'https://erp.example.com/app/7/edit', true],
    ['https://erp.example.com/a*b*c', 'https://erp.example.com/abc', true],
    ['https://erp.example.com/a*bb', 'https://erp.example.com/ab', false],
    ['https://erp.example.com/exact', 'https://erp.example.com/exact?x', false],
    ['http://localhost:8443/*', 'http://localhost:8443/', true],
    ['http://localhost:8443/*', 'http://localhost:8444/', false],
    ['https://erp.example.com:443/*', 'https://erp.example.com/', true],
    ['http://localhost:*/*', 'http://localhost:99/', true],
    ['http://localhost/*', 'http://localhost:99/', true],
    ['http://[::1]/*', 'http://[::1]:80/', true],
    ['https://müller.example/*', 'https://xn--mller-kva.example/a', true],
    ['https://MÜLLER.example/*', 'https://müller.example/a', true],
    ['https://xn--mller-kva.example/*', 'https://müller.example/a', true],
    ['https://*.müller.example/*', 'https://erp.müller.example/a', true],
    ['https://[2001:DB8:0:0:0:0:0:1]:8443/*', 'https://[2001:db8::1]:8443/', true],
    ['https://[::ffff:10.0.0.1]/*', 'https://[::ffff:a00:1]/', true],
    ['https://1/*', 'https://1/', false],
    ['https://*.*/*', 'https://erp.example.com/', false],
    ['https://a.test/ä/*', 'https://a.test/ä/x', true],
    ['https://a.test/%C3%A4/*', 'https://a.test/ä/x', true],
    ['https://a.test/a"b/*', 'https://a.test/a"b/x', true],
    ['https://a.test/<x>`', 'https://a.test/<x>`', true],
    ['https://a.test/a\\b/*', 'https://a.test/a\\b/x', true],
    ['https://a.test/./x', 'https://a.test/./x', true],
    ['https://a.test/a/../x/*', 'https://a.test/a/../x/y', true],
    ['https://a.test/a/%2E%2e/x', 'https://a.test/x', true],
    ['https://a.test/.x/..y/z.*', 'https://a.test/.x/..y/z.html', true],
    ['https://a.test/q?ö=*', 'https://a.test/q?ö=1', true],
    ["https://a.test/q?a='*", "https://a.test/q?a='1", true],
    ['https://a.test/q?f={*', 'https://a.test/q?f={1}', true],
    ['https://erp.example.com/*', 'not a url', false],
    ['<all_urls>', 'https://erp.example.com/', false],
    ['*://*/*', 'https://erp.example.com/', false],
    ['*://*.com/*', 'https://erp.example.com/', false],
  ])('%s on %s: %s', (pattern, url, matches) => {
    expect(matchesPattern(pattern, url)).toBe(matches);
  });

  it('takes linear time whatever the stars', () => {
    const pattern = `https://a.test/${'a*'.repeat(100)}b`;
    expect(matchesPattern(pattern, `https://a.test/${'a'.repeat(100_000)}`)).toBe(false);
  });
});

it('says what is wrong with a pattern', () => {
  expect(validateMatchPattern('https://erp.example.com/*')).toBeNull();
  expect(validateMatchPattern('<all_urls>')).toBe('every_site');
  expect(validateMatchPattern('https://*/*')).toBe('every_host');
  expect(validateMatchPattern('erp.example.com')).toBe('no_pattern');
  expect(validateMatchPattern('https://erp.example.com')).toBe('no_pattern');
  expect(validateMatchPattern('https://erp.*.com/*')).toBe('host');
  expect(validateMatchPattern('https://a.test:70000/*')).toBe('port');
  expect(validateMatchPattern('https://a.test/#x')).toBe('fragment');
  for (const path of ['/a b', '/a\u0000*', '/a\tb', '/a\u00a0b', '/a\u007f', '/a\u2028'])
    expect(validateNewMatchPattern(`https://a.test${path}`)).toBe('space');
  for (const path of ['/{id}/*', '/orders/{n}', '/}'])
    expect(validateNewMatchPattern(`https://a.test${path}`)).toBe('placeholder');
  for (const scheme of ['http', 'https', '*']) expect(validateNewMatchPattern(`${scheme}://*.*/*`)).toBe('every_host');
  expect(validateNewMatchPattern(`https://a.test/${'ä'.repeat(60)}`)).toBe('too_long');
  for (const path of ['/*', '/ä/*', '/%7Bid%7D', '/q?f={*'])
    expect(validateNewMatchPattern(`https://a.test${path}`)).toBeNull();
});

it('refuses a host that could match nothing, unless it is stored already', () => {
  for (const pattern of [
    'https://1/*',
    'https://0x7f.1/*',
    'https://[:::]/*',
    'https://10.0.0.256/*',
    'https://*.*/*',
  ]) {
    expect(validateNewMatchPattern(pattern)).not.toBeNull();
    expect(validateMatchPattern(pattern)).toBeNull();
  }
  for (const pattern of [
    'https://müller.example/*',
    'https://[::ffff:10.0.0.1]/*',
    'https://[2001:DB8:0:0:0:0:0:1]:8443/*',
  ])
    expect(validateNewMatchPattern(pattern)).toBeNull();
});

it('asks browsers for hosts and paths as they spell them', () => {
  expect(canonicalPattern('HTTPS://Müller.example:8443/ä/./*?ö=*')).toBe(
    'https://xn--mller-kva.example:8443/%C3%A4/*?%C3%B6=*',
  );
  expect(withoutPort('https://a.test:8443/ä/../b\\c/*')).toBe('https://a.test/b/c/*');
  expect(withoutPort('https://Müller.example:8443/x*')).toBe('https://xn--mller-kva.example/x*');
  expect(hostPermission('https://*.müller.example/x')).toBe('https://*.xn--mller-kva.example/*');
  expect(exactHost('https://[2001:DB8::0:1]/*')).toBe('[2001:db8::1]');
});

it('finds the first target and takes the port off where Firefox refuses it', () => {
  const targets = [
    { id: 'a', match: ['https://a.test/*'] },
    { id: 'all', match: ['https://b.test/*', 'https://*.test/*'] },
  ];
  expect(findTarget('https://a.test/x', targets)?.id).toBe('a');
  expect(findTarget('https://c.test/x', targets)?.id).toBe('all');
  expect(findTarget('https://c.example/x', targets)).toBeNull();
  expect(withoutPort('http://localhost:8443/x*')).toBe('http://localhost/x*');
});
