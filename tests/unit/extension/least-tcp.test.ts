import { expect, test } from 'vitest';
import { LeastTcp } from '../../../extension/background/least-tcp.ts';
import { entryWith, FIREFOX, NEW_HTTP, NEW_HTTPS, REUSED_HTTPS } from '../timing/entries.ts';

test('the shortest handshake that is proved is kept by origin', () => {
  const least = new LeastTcp();
  expect(least.of(NEW_HTTPS)).toBeNull();
  least.note(entryWith({ secureConnectionStart: 160 }), FIREFOX);
  least.note(NEW_HTTPS, FIREFOX);
  least.note(entryWith({ secureConnectionStart: 158 }), FIREFOX);
  expect(least.of(REUSED_HTTPS)).toBe(40);
  expect(least.of(NEW_HTTP)).toBeNull();
});

test('what was reused, queued or below the clock tells nothing', () => {
  const least = new LeastTcp();
  least.note(REUSED_HTTPS, FIREFOX);
  least.note(entryWith({ secureConnectionStart: 108 }), FIREFOX);
  least.note(entryWith({ connectStart: 100, domainLookupStart: 100, domainLookupEnd: 100 }), FIREFOX);
  expect(least.of(NEW_HTTPS)).toBeNull();
});

test('the origin heard of longest ago gives way', () => {
  const least = new LeastTcp();
  const at = (index: number) => entryWith({ name: `https://app-${index}.example.com/` });
  for (let index = 0; index <= 500; index++) least.note(at(index), FIREFOX);
  expect(least.of(at(0))).toBeNull();
  expect(least.of(at(1))).toBe(40);
});
