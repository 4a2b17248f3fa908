import fc from 'fast-check';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { EXCLUSIONS, HANDSHAKES, RESOURCE_TYPES } from '../../../shared/vocabulary/vocabulary.ts';
import { makeSample } from './make-sample.ts';

/** µs; up to ten minutes. */
const TIME = fc.oneof(fc.integer({ min: 0, max: 300_000 }), fc.integer({ min: 0, max: 600_000_000 }));

/** Samples as the core makes them: what is hidden is null with its reason, reused connections have zeros. */
const ARBITRARY_SAMPLE: fc.Arbitrary<StoredSample> = fc
  .record({
    at: fc.integer({ min: 1_700_000_000_000, max: 1_700_090_000_000 }),
    host: fc.constantFrom('erp.example.com', 'static.example.com', 'third.example.net'),
    scheme: fc.constantFrom('http', 'https'),
    type: fc.constantFrom(...RESOURCE_TYPES),
    protocol: fc.constantFrom('http/1.1', 'h2', 'h3', null),
    connection: fc.constantFrom('new', 'reused', 'reused', 'cache', 'opaque', 'worker', 'failed', 'unknown'),
    handshake: fc.constantFrom(...HANDSHAKES),
    excluded: fc.option(fc.constantFrom(...EXCLUSIONS), { freq: 3 }),
    status: fc.constantFrom(200, 304, 401, 500, null),
    client: fc.constantFrom('browser-1', 'browser-2', 'browser-3'),
    site: fc.constantFrom('berlin', 'osaka', ''),
    clockStep: fc.constantFrom(100, 1000),
    phases: fc.record({ blocked: TIME, dns: TIME, tcp: TIME, tls: TIME, wait: TIME, receive: TIME }),
    hiddenDns: fc.boolean(),
    earlyHints: fc.boolean(),
  } as const)
  .map(({ client, site, clockStep, phases, hiddenDns, earlyHints, ...rest }) => {
    const opened = rest.connection === 'new';
    const plain = rest.scheme === 'http';
    const unknown = {
      ...(plain ? { tls: 'plain_http' as const } : {}),
      ...(opened && hiddenDns ? { dns: 'firefox_dns' as const } : {}),
    };
    const times = {
      ...phases,
      dns: opened ? (hiddenDns ? null : phases.dns) : 0,
      tcp: opened ? phases.tcp : 0,
      tls: plain ? null : opened ? phases.tls : 0,
    };
    const mark = earlyHints ? { responseMark: 'final_response_headers' as const } : {};
    return makeSample({ ...rest, ...mark, times, unknown, origin: { client, site, clockStep } });
  });

export const ARBITRARY_SAMPLES = fc.array(ARBITRARY_SAMPLE, { maxLength: 120 });
