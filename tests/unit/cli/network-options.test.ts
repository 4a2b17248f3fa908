import { expect, test } from 'vitest';
import { parseTrustedProxies } from '../../../collector/cli/network-options.ts';

test.each([
  ['1', 1],
  ['2', 2],
  ['10.0.0.1', ['10.0.0.1']],
  ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
])('%s', (text, proxies) => {
  expect(parseTrustedProxies(text)).toEqual(proxies);
});

test.each(['0', '10', '-1', '', 'true', 'loopback', '10.0.0.0/33'])('%j is refused', (text) => {
  expect(() => parseTrustedProxies(text)).toThrow(/It has to be|is not an address range/);
});
