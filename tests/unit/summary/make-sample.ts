import type { ClientInfo, StoredSample } from '../../../shared/sample/sample.ts';

const ORIGIN: ClientInfo = {
  client: 'browser-1',
  site: 'berlin',
  browser: 'chromium',
  browserVersion: '156',
  extensionVersion: '0.1.0',
  clockStep: 100,
};

type Given = Omit<Partial<StoredSample>, 'times' | 'origin'> & {
  readonly times?: Partial<StoredSample['times']>;
  readonly origin?: Partial<ClientInfo>;
};

/**
 * A usable document over HTTPS on a reused connection, unless told otherwise. Times are µs; totals that are not given are
 * the sums of the phases, so that every sample adds up as a real one does.
 */
export function makeSample({ times, origin, ...given }: Given = {}): StoredSample {
  const phases = { blocked: 0, dns: 0, tcp: 0, tls: 0, wait: 0, receive: 0, redirect: 0, ...times };
  const { blocked, dns, tcp, tls, wait, receive } = phases;
  const ttfb = (blocked ?? 0) + (dns ?? 0) + (tcp ?? 0) + (tls ?? 0) + (wait ?? 0);
  return {
    at: 1_700_000_000_000,
    target: 'erp',
    host: 'erp.example.com',
    scheme: 'https',
    template: '/',
    type: 'document',
    protocol: 'http/1.1',
    source: 'page',
    connection: 'reused',
    connectionEvidence: 'test',
    handshake: 'unknown',
    handshakeEvidence: null,
    excluded: null,
    status: 200,
    error: null,
    unknown: {},
    transferSize: 1300,
    encodedBodySize: 1000,
    decodedBodySize: 1000,
    idleMs: null,
    serverTime: null,
    metrics: {},
    tls: null,
    ...given,
    times: { ttfb, ttlb: ttfb + (receive ?? 0), ...phases },
    origin: { ...ORIGIN, ...origin },
  };
}
