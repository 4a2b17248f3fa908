import fc from 'fast-check';
import type { ClientInfo, Sample } from '../../../shared/sample/sample.ts';
import { PHASES, TIME_NAMES, type TimeName } from '../../../shared/vocabulary/time-names.ts';
import {
  CONNECTION_EVIDENCE,
  CONNECTIONS,
  EXCLUSIONS,
  HANDSHAKE_EVIDENCE,
  HANDSHAKES,
  RESOURCE_TYPES,
  SCHEMES,
  UNKNOWN_REASONS,
  type UnknownReason,
} from '../../../shared/vocabulary/vocabulary.ts';

export const NOW = Date.UTC(2026, 2, 1, 12);

export const ORIGIN: ClientInfo = {
  client: 'c0ffee00-0000-4000-8000-000000000001',
  site: 'Hannover',
  browser: 'chromium',
  browserVersion: '128.0.6613.84',
  extensionVersion: '0.1.0',
  clockStep: 100,
};

export const BATCH_ID = '5f0c1d6e-8f0a-4b52-9a55-3f1f8a4a7c10';

const word = fc.stringMatching(/^[a-z][a-z0-9 -]{0,20}$/);
const size = fc.option(fc.nat(10_000_000));

/** Each time is known or has a reason; the known phases never exceed ttlb, because ttlb is their sum. */
const times = fc
  .record({
    phases: fc.tuple(...PHASES.map(() => fc.option(fc.nat(5_000_000)))),
    redirect: fc.option(fc.nat(100_000)),
    totals: fc.boolean(),
    reason: fc.constantFrom(...UNKNOWN_REASONS),
  })
  .map(({ phases, redirect, totals, reason }) => {
    const sum = phases.reduce<number>((total, phase) => total + (phase ?? 0), 0);
    const values = Object.fromEntries([
      ...PHASES.map((name, place) => [name, phases[place] ?? null]),
      ['redirect', redirect],
      ['ttfb', totals ? sum - (phases[5] ?? 0) : null],
      ['ttlb', totals ? sum : null],
    ]) as Record<TimeName, number | null>;
    const unknown: Partial<Record<TimeName, UnknownReason>> = {};
    for (const name of TIME_NAMES) if (values[name] === null) unknown[name] = reason;
    return { times: values, unknown };
  });

export const arbitrarySample: fc.Arbitrary<Sample> = fc
  .record({
    at: fc.integer({ min: NOW - 6 * 24 * 3600 * 1000, max: NOW }),
    target: fc.constantFrom('erp', 'crm-2'),
    host: fc.constantFrom('erp.example.com', 'xn--bcher-kva.example', '[::1]', '10.0.0.7', '(other)'),
    scheme: fc.constantFrom(...SCHEMES),
    template: fc.constantFrom('/', '/orders/{n}', '/a/b/{uuid}', '(other)'),
    type: fc.constantFrom(...RESOURCE_TYPES),
    protocol: fc.option(fc.constantFrom('http/1.1', 'h2', 'h3')),
    source: fc.constantFrom('page', 'probe-https-new'),
    connection: fc.constantFrom(...CONNECTIONS),
    connectionEvidence: fc.constantFrom(...CONNECTION_EVIDENCE),
    handshake: fc.constantFrom(...HANDSHAKES),
    handshakeEvidence: fc.option(fc.constantFrom(...HANDSHAKE_EVIDENCE)),
    excluded: fc.option(fc.constantFrom(...EXCLUSIONS)),
    status: fc.option(fc.integer({ min: 100, max: 599 })),
    error: fc.option(fc.constant('net::ERR_CONNECTION_REFUSED')),
    times,
    responseMark: fc.option(fc.constantFrom('final_response_headers', 'web_request'), { nil: undefined }),
    transferSize: size,
    encodedBodySize: size,
    decodedBodySize: size,
    idleMs: size,
    serverTime: size,
    metrics: fc.dictionary(
      fc.constantFrom('cpu', 'db', 'constructor', 'toString'),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
    ),
    tls: fc.option(
      fc.record({
        version: fc.constant('TLSv1.3'),
        cipher: fc.option(fc.constantFrom('TLS_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA')),
        keyExchange: fc.option(fc.constantFrom('x25519', 'FF 2048')),
        issuer: word,
      }),
    ),
    journey: fc.option(
      fc.record({
        journey: fc.constantFrom('sign-in', 'order-2', '(other)'),
        step: fc.option(fc.integer({ min: 1, max: 200 })),
        run: fc.option(fc.integer({ min: 0, max: NOW })),
      }),
    ),
  })
  .map(({ times: { times, unknown }, responseMark, journey, ...rest }) => ({
    ...rest,
    ...journey,
    times,
    unknown,
    ...(responseMark === undefined ? {} : { responseMark }),
  }));

/** One plain sample to spoil. */
export const PLAIN_SAMPLE: Sample = {
  at: NOW - 1000,
  target: 'erp',
  host: 'erp.example.com',
  scheme: 'https',
  template: '/orders/{n}',
  type: 'document',
  protocol: 'h2',
  source: 'page',
  connection: 'new',
  connectionEvidence: 'connect_took_time',
  handshake: 'unknown',
  handshakeEvidence: null,
  excluded: null,
  status: 200,
  error: null,
  times: {
    blocked: 300,
    dns: 1_200,
    tcp: 40_100,
    tls: 41_800,
    wait: 61_000,
    receive: 2_500,
    redirect: 0,
    ttfb: 144_400,
    ttlb: 146_900,
  },
  unknown: {},
  transferSize: 12_345,
  encodedBodySize: 12_045,
  decodedBodySize: 40_960,
  idleMs: null,
  serverTime: 18_000,
  metrics: { cpu: 4.5 },
  tls: null,
};
