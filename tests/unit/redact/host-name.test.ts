import { expect, test } from 'vitest';
import { hostLabel } from '../../../shared/redact/host-label.ts';
import { canonicalHost } from '../../../shared/redact/host-name.ts';

test.each([
  ['erp.example.com', 'erp.example.com'],
  ['ERP.Example.com', 'erp.example.com'],
  ['müller.example', 'xn--mller-kva.example'],
  ['MÜLLER.example', 'xn--mller-kva.example'],
  ['mu\u0308ller.example', 'xn--mller-kva.example'],
  ['XN--MLLER-KVA.example', 'xn--mller-kva.example'],
  ['müller。example', 'xn--mller-kva.example'],
  ['straße.example', 'xn--strae-oqa.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['under_score.corp', 'under_score.corp'],
  ['localhost', 'localhost'],
  ['10.0.0.1', '10.0.0.1'],
  ['[2001:DB8:0:0:0:0:0:1]', '[2001:db8::1]'],
  ['2001:db8::0:1', '[2001:db8::1]'],
  ['[::ffff:10.0.0.1]', '[::ffff:a00:1]'],
  ['[::1]', '[::1]'],
])('%s is %s', (written, host) => {
  expect(canonicalHost(written)).toBe(host);
  expect(canonicalHost(host)).toBe(host);
});

test.each([
  ...['', ' ', '1', '0x7f.1', '010.0.0.1', '1.2.3', '10.0.0.256', '[:::]', '[1:2]', '[fe80::1%eth0]', 'a:80', '::g'],
  ...['a b', 'a/b', 'a@b', 'a?b', 'a#b', 'a\\b', 'a%41', '*', '*.a', 'a..b', 'a\u0000'],
])('%j is no host', (written) => {
  expect(canonicalHost(written)).toBeNull();
});

test.each([
  ['xn--mller-kva.example', 'müller.example'],
  ['xn--r8jz45g.xn--zckzah', '例え.テスト'],
  ['xn--80a1acny.example', 'почта.example'],
  ['erp.example.com', 'erp.example.com'],
  ['[2001:db8::1]', '[2001:db8::1]'],
])('%s is shown as %s', (host, label) => {
  expect(hostLabel(host)).toBe(label);
});

test.each([
  ['Cyrillic that looks like Latin', 'аррӏе.example'],
  ['Latin with one Cyrillic letter', 'pаypal.example'],
  ['Latin with Greek', 'gοogle.example'],
  ['Greek that looks like Latin', 'αρ.example'],
])('%s stays punycode', (_what, written) => {
  const host = canonicalHost(written) ?? '';
  expect(host).toMatch(/^xn--/);
  expect(hostLabel(host)).toBe(host);
});

test('punycode of no name stays as it is', () => {
  for (const host of ['xn--a.example', 'xn--.example', 'xn--99999999.example', 'xn--mller-KVA-.example'])
    expect(hostLabel(host)).toBe(host);
});
