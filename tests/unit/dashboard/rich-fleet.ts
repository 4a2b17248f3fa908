import type { StoredSample } from '../../../shared/sample/sample.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import type { ResourceType } from '../../../shared/vocabulary/vocabulary.ts';
import { fleetSamples } from './sample-fleet.ts';

/** The server’s keep-alive timeout, ms, which the host page has to detect. */
const KEEP_ALIVE_MS = 5_000;
/** Issuer of the certificate that one site's browsers see instead of the host's own. */
export const INSPECTION_ISSUER = 'CN=Contoso Inspection CA';
const USUAL_ISSUER = 'CN=Example Public CA';
/** Time that the TLS-inspecting proxy adds to a handshake, ms. */
const INSPECTION_MS = 55;
/** Factor by which set-up and wait grew at the start of the newer range. */
const REGRESSION = 1.45;

const TEMPLATES: Readonly<Partial<Record<ResourceType, readonly string[]>>> = {
  document: ['/app/home', '/app/orders/{n}', '/app/orders', '/app/stock/{n}', '/app/report/{id}'],
  fetch: ['/api/orders/{n}', '/api/search', '/api/stock', '/api/session'],
  image: ['/static/logo.png', '/static/map.png', '/static/photo/{n}.jpg'],
};

/**
 * The fleet with everything that a host page shows: pages, idle gaps and the keep-alive timeout, TLS facts, error responses,
 * Server-Timing, and the preceding range, which was faster on one host.
 */
export function richFleet(now: number, spanMs = 20 * 3_600_000): StoredSample[] {
  const random = seededRandom(11);
  const newer = fleetSamples(now, spanMs).map((sample) => regressed(enriched(sample, random)));
  const older = fleetSamples(now - 24 * 3_600_000, spanMs, 8).map((sample) => enriched(sample, random));
  return [...older, ...newer];
}

function enriched(sample: StoredSample, random: () => number): StoredSample {
  const { connection, type, origin, scheme } = sample;
  const pages = TEMPLATES[type];
  const place = Math.floor(random() ** 2 * (pages?.length ?? 1));
  const idle =
    connection === 'new'
      ? KEEP_ALIVE_MS * (random() < 0.08 ? 0.02 : 1.02 + random() * 30)
      : KEEP_ALIVE_MS * random() ** 3 * 0.995;
  const inspected = origin.site === 'Berlin' && sample.host === 'erp.example.com';
  const times = { ...sample.times };
  if (inspected && connection === 'new') {
    for (const name of ['tls', 'ttfb', 'ttlb'] as const) {
      const value = times[name];
      if (value !== null) times[name] = value + INSPECTION_MS * 1000;
    }
  }
  const size = 1200 * (1 + place) * (type === 'image' ? 6 : 1);
  return {
    ...sample,
    times,
    template: pages?.[place] ?? sample.template,
    source: random() < 0.03 && connection === 'new' ? `probe-${scheme}-new` : 'page',
    idleMs: connection === 'new' || connection === 'reused' ? (random() < 0.01 ? null : Math.round(idle)) : null,
    encodedBodySize: type === 'document' && place === 1 ? size + Math.floor(random() * 4000) : size,
    transferSize: connection === 'cache' ? 0 : size + 310,
    decodedBodySize: size * 3,
    metrics: connection === 'new' || connection === 'reused' ? { cpu: Math.round(8 + random() * 20) } : {},
    tls:
      origin.browser === 'firefox' && scheme === 'https' && connection !== 'cache'
        ? {
            version: sample.host === 'legacy.example.com' ? 'TLSv1.2' : 'TLSv1.3',
            cipher:
              sample.host === 'legacy.example.com' ? 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384' : 'TLS_AES_128_GCM_SHA256',
            keyExchange: 'x25519',
            issuer: inspected ? INSPECTION_ISSUER : USUAL_ISSUER,
          }
        : null,
  };
}

function regressed(sample: StoredSample): StoredSample {
  const { wait, ttfb, ttlb } = sample.times;
  if (sample.host !== 'files.example.com' || wait === null || ttfb === null || ttlb === null) return sample;
  const more = Math.round((wait * (REGRESSION - 1)) / 1000) * 1000;
  return { ...sample, times: { ...sample.times, wait: wait + more, ttfb: ttfb + more, ttlb: ttlb + more } };
}
