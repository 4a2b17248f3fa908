import { expect, test } from 'vitest';
import { parseServerTiming } from '../../../collector/exchange/import/server-timing-header.ts';

// Each as Chromium 156 and Firefox 153 report it: `name|duration|description`.
test.each([
  ['app;dur=40', 'app|40|'],
  ['app; dur = 40', 'app|40|'],
  ['app;DUR="40"', 'app|40|'],
  ['total;desc="a;dur=7";dur=40', 'total|40|a;dur=7'],
  ['cache;desc="hit, total;dur=999, warm", app;dur=40', 'cache|0|hit, total;dur=999, warm & app|40|'],
  ['app;desc="a\\"b";dur=2', 'app|2|a"b'],
  ['app;dur=-5', 'app|-5|'],
  ['app;dur=1700000000000', 'app|1700000000000|'],
  ['app;dur=40abc', 'app|0|'],
  ['app;dur=Infinity', 'app|0|'],
  ['app;dur=abc;dur=5', 'app|0|'],
  ['app;dur=;dur=7', 'app|0|'],
  ['a;dur=1e3, b;dur=+40, c;dur=.5', 'a|1000| & b|40| & c|0.5|'],
  ['app foo;dur=3, b;dur=4', 'app|3| & b|4|'],
  ['app;dur="40";desc="x"y;dur=3, b;dur=4', 'app|40|x & b|4|'],
  ['', ''],
])('%s', (header, expected) => {
  const entries = parseServerTiming(header).map(({ name, duration, description }) => [name, duration, description]);
  expect(entries.map((entry) => entry.join('|')).join(' & ')).toBe(expected);
});
