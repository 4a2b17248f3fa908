import { expect, test } from 'vitest';
import { toProtocol } from '../../../shared/classify/protocol.ts';
import { isHttp3 } from '../../../shared/timing/set-up-split.ts';
import { OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';

/** ALPN id → how browsers, proxies, load tools and libraries spell it. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  'http/0.9': ['http/0.9', 'HTTP/0.9', '0.9'],
  'http/1.0': ['http/1.0', 'HTTP/1.0', '1.0', 'HTTP 1.0', 'http1.0', 'HTTP_1_0'],
  'http/1.1': ['http/1.1', 'HTTP/1.1', '1.1', ' HTTP/1.1 ', 'HTTP 1.1', 'http1.1', 'HTTP_1_1', 'HTTP/1.1 200', 'v1.1'],
  h2: ['h2', 'H2', 'h2-14', 'HTTP/2', 'HTTP/2.0', 'http/2.0', '2.0', '2', '2 2', 'HTTP/2 200', 'http2', 'HTTP_2'],
  h2c: ['h2c', 'H2C'],
  h3: ['h3', 'HTTP/3', 'http/3.0', '3', '3.0', 'HTTP_3', 'h3-Q050', 'h3-99'],
  'h3-29': ['h3-29', 'H3-29'],
  hq: ['hq', 'hq-29', 'http/2+quic/46', 'http/2+quic/43', 'quic/1+spdy/3', 'QUIC'],
  [OVERFLOW_NAME]: ['spdy', 'spdy/3', 'spdy/3.1', 'SPDY/3.1', 'HTTP/4', 'http/1', 'websocket', 'http/1.11', 'h4'],
};

test.each(Object.entries(SPELLINGS))('%s in every spelling', (id, spellings) => {
  expect(spellings.map((text) => [text, toProtocol(text)])).toEqual(spellings.map((text) => [text, id]));
});

test.each([
  'ori',
  'us:',
  'K',
  'HTTP',
  '22',
  '',
  ' ',
  'unknown',
  'UNKNOWN',
  '-',
  '-1',
  'null',
  'n/a',
  'none',
  '\u0000',
  '…',
])('%j states none', (text) => {
  expect(toProtocol(text)).toBeNull();
});

test('an id is its own spelling, and only QUIC merges its handshakes', () => {
  for (const id of Object.keys(SPELLINGS)) {
    expect(toProtocol(id)).toBe(id);
    expect(isHttp3(id), id).toBe(/^h[3q]/.test(id));
  }
});
