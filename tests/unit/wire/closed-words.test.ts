import { expect, test } from 'vitest';
import { BROWSER_ERRORS } from '../../../shared/vocabulary/browser-errors.ts';
import { CONNECTION_EVIDENCE, HANDSHAKE_EVIDENCE, PROTOCOLS, SOURCES } from '../../../shared/vocabulary/vocabulary.ts';
import { PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { batchSamples } from './batch-samples.ts';
import { columnsOf } from './read-columns-of.ts';

type Plain = typeof PLAIN_SAMPLE;
type Row = Partial<Pick<typeof PLAIN_SAMPLE, 'protocol' | 'source'>>;

const kept = (rows: readonly Row[]) =>
  batchSamples(columnsOf(rows.map((row) => ({ ...PLAIN_SAMPLE, ...row })))).map(({ protocol, source }) => [
    protocol,
    source,
  ]);

test('known protocols and sources keep their names, all others share one', () => {
  const protocols = PROTOCOLS.map((protocol) => ({ protocol }));
  expect(kept(protocols)).toEqual(PROTOCOLS.map((protocol) => [protocol, 'page']));
  const sources = SOURCES.map((source) => ({ source }));
  expect(kept(sources)).toEqual(SOURCES.map((source) => ['h2', source]));
  const invented = [{ protocol: 'h2-1' }, { protocol: 'h2-2' }, { source: 'probe-1' }, { source: 'probe-2' }];
  expect(kept(invented)).toEqual([
    ['(other)', 'page'],
    ['(other)', 'page'],
    ['h2', 'probe-other'],
    ['h2', 'probe-other'],
  ]);
});

const TLS = { version: 'TLSv1.3', cipher: null, keyExchange: null, issuer: null };
const tlsOf = (fact: Partial<Record<keyof typeof TLS, string>>) => ({ tls: { ...TLS, ...fact } });

function textsOf(rows: readonly Partial<Plain>[]) {
  return batchSamples(columnsOf(rows.map((row) => ({ ...PLAIN_SAMPLE, ...row })))).map(
    ({ connectionEvidence, handshakeEvidence, error, tls }) => ({ connectionEvidence, handshakeEvidence, error, tls }),
  );
}

/** Every closed word, and what Firefox says of TLS. */
const HONEST: readonly Partial<Plain>[] = [
  ...CONNECTION_EVIDENCE.map((connectionEvidence) => ({ connectionEvidence })),
  ...HANDSHAKE_EVIDENCE.map((handshakeEvidence) => ({ handshakeEvidence })),
  ...BROWSER_ERRORS.map((error) => ({ error })),
  ...['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'].map((version) => tlsOf({ version })),
  ...[
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
    'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA',
    'TLS_DHE_RSA_WITH_AES_128_CBC_SHA256',
    'TLS_RSA_WITH_AES_256_GCM_SHA384',
    'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  ].map((cipher) => tlsOf({ cipher })),
  ...['P256', 'P384', 'P521', 'x25519', 'mlkem768x25519', 'xyber768d00', 'FF 2048', 'custom', 'unknown group'].map(
    (keyExchange) => tlsOf({ keyExchange }),
  ),
  tlsOf({ issuer: 'CN=DigiCert TLS RSA SHA256 2020 CA1,O=DigiCert Inc,C=US' }),
];

test('every evidence, error and TLS fact that browsers send keeps its name', () => {
  for (let start = 0; start < HONEST.length; start += 50) {
    const rows = HONEST.slice(start, start + 50);
    const expected = rows.map((row) => {
      const { connectionEvidence, handshakeEvidence, error, tls } = { ...PLAIN_SAMPLE, ...row };
      return { connectionEvidence, handshakeEvidence, error, tls };
    });
    expect(textsOf(rows)).toEqual(expected);
  }
});

test('evidence, errors and TLS facts that are made up share one word', () => {
  const rows = ['made up', 'TLS_0123456789ABCDEF', 'net::ERR_MADE_UP', 'connect_took_time '].flatMap((word) => [
    { connectionEvidence: word, handshakeEvidence: word, error: word },
    tlsOf({ version: word, cipher: word, keyExchange: word }),
  ]);
  for (const [row, read] of textsOf(rows).entries()) {
    if (row % 2 === 0) {
      expect(read).toMatchObject({ connectionEvidence: '(other)', handshakeEvidence: '(other)', error: 'other' });
    } else expect(read.tls).toEqual({ version: '(other)', cipher: '(other)', keyExchange: '(other)', issuer: null });
  }
});
