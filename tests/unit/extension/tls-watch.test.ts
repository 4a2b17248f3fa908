import { beforeEach, expect, test } from 'vitest';
import { TlsWatch } from '../../../extension/background/tls-watch.ts';

const URL_ = 'https://app.test:8443/a?b';
const INFO = {
  protocolVersion: 'TLSv1.2',
  cipherSuite: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  keaGroupName: 'x25519',
  certificates: [{ issuer: 'CN=Inspection' }],
};

let listeners: Map<(details: object) => unknown, { urls: string[] }>;
let asked: string[];
let watch: TlsWatch;

beforeEach(() => {
  listeners = new Map();
  asked = [];
  watch = new TlsWatch({
    onHeadersReceived: {
      addListener: (listener: (details: object) => unknown, filter: { urls: string[] }) =>
        listeners.set(listener, filter),
      removeListener: (listener: (details: object) => unknown) => listeners.delete(listener),
    },
    getSecurityInfo: async (request: string) => {
      asked.push(request);
      if (request === 'gone') throw new Error('no such request');
      return request === 'plain' ? { certificates: [] } : INFO;
    },
  } as unknown as ConstructorParameters<typeof TlsWatch>[0]);
});

async function answer(requestId: string, url = URL_): Promise<void> {
  for (const listener of [...listeners.keys()]) expect(listener({ requestId, url })).toBeUndefined();
  await new Promise((resolve) => setTimeout(resolve));
}

test('holds up answers of an origin until one told its facts, and none after', async () => {
  watch.see(URL_);
  watch.see(URL_);
  expect([...listeners.values()]).toEqual([{ urls: ['https://app.test/*'] }]);
  expect(watch.of(URL_)).toBeNull();
  await answer('gone');
  await answer('plain');
  expect(listeners.size).toBe(1);
  await answer('1');
  expect(watch.of('https://app.test:8443/other')).toEqual({
    version: 'TLSv1.2',
    cipher: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    keyExchange: 'x25519',
    issuer: 'CN=Inspection',
  });
  expect(watch.of('https://app.test/')).toBeNull();
  watch.see(URL_);
  expect(listeners.size).toBe(0);
  expect(asked).toEqual(['gone', 'plain', '1']);
});

test('asks about nothing but https, and about a bounded number of hosts at once', () => {
  watch.see('http://app.test/');
  watch.see('blob:https://app.test/1');
  expect(listeners.size).toBe(0);
  for (let host = 0; host < 100; host++) watch.see(`https://host${host}.test/`);
  expect(listeners.size).toBe(20);
});
