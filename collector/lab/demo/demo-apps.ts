import type { Settings } from '../../../shared/settings/settings-schema.ts';
import type { DemoTarget } from '../../analysis/summary/summary-document.ts';
import type { LabTls } from '../servers/lab-server.ts';

/** Shortest possible, so that the demo is quick. */
const DELIVERY_SECONDS = 1;

/** One of the demo's target apps: a real server behind a real delay, both known beforehand. */
export interface DemoApp extends DemoTarget {
  readonly protocol: LabTls['protocol'];
  /** Settings target that watches its pages; null for the third party, which has no pages. */
  readonly target: { readonly id: string; readonly name: string } | null;
  /** null for plain HTTP. */
  readonly tlsVersion: LabTls['version'] | null;
}

const KEPT = { scheme: 'https', protocol: 'http/1.1', connection: 'keep-alive', tlsVersion: 'TLSv1.3' } as const;

/** Their sums are 15 ms apart, more than the measurement error: no number can be right by accident. */
export const DEMO_APPS: readonly DemoApp[] = [
  {
    host: 'http.demo.test',
    ...KEPT,
    target: { id: 'http', name: 'Plain HTTP, keep-alive' },
    scheme: 'http',
    tlsVersion: null,
    serverDelayMs: 15,
    roundTripMs: 20,
  },
  {
    host: 'keepalive.demo.test',
    ...KEPT,
    target: { id: 'keepalive', name: 'HTTPS, keep-alive' },
    serverDelayMs: 25,
    roundTripMs: 40,
  },
  {
    host: 'close.demo.test',
    ...KEPT,
    target: { id: 'close', name: 'HTTPS, a new connection for each request' },
    connection: 'close',
    tlsVersion: 'TLSv1.2',
    serverDelayMs: 20,
    roundTripMs: 30,
  },
  {
    host: 'h2.demo.test',
    ...KEPT,
    target: { id: 'h2', name: 'HTTP/2' },
    protocol: 'h2',
    serverDelayMs: 45,
    roundTripMs: 50,
  },
  { host: 'third.demo.test', ...KEPT, target: null, serverDelayMs: 20, roundTripMs: 60 },
];

/** The settings document of the demo's collector: each app with pages of its own is a target. */
export const DEMO_SETTINGS: Settings = {
  version: 1,
  delivery: { intervalSeconds: DELIVERY_SECONDS },
  targets: DEMO_APPS.flatMap(({ target, scheme, host }) =>
    // Without the port: Firefox's match patterns have none, and both browsers then match every port.
    target === null ? [] : [{ ...target, match: [`${scheme}://${host}/*`], serverTimingMetrics: ['server', 'cpu'] }],
  ),
};

/** For `summary.method.demo.targets`. */
export function demoTargets(): DemoTarget[] {
  return DEMO_APPS.map(({ target: _target, tlsVersion: _tlsVersion, ...shown }) => shown);
}
