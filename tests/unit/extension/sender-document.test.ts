import { expect, test } from 'vitest';
import { senderDocument } from '../../../extension/background/sender-document.ts';

test.each([
  ['a page', { url: 'https://app.test/a?b#c', origin: 'https://app.test' }, 'https://app.test/a?b', 'https://app.test'],
  ['a browser that names no origin', { url: 'https://app.test/a' }, 'https://app.test/a', 'https://app.test'],
  ['a sandboxed page', { url: 'https://app.test/a', origin: 'null' }, 'https://app.test/a', 'null'],
  [
    'a frame without an address',
    { url: 'about:srcdoc', origin: 'https://app.test' },
    'https://app.test/',
    'https://app.test',
  ],
  ['nothing', {}, 'null/', 'null'],
])('%s', (_, sender, page, origin) => {
  expect(senderDocument(sender)).toEqual({ page, origin });
});
