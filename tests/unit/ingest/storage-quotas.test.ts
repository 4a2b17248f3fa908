import { expect, test } from 'vitest';
import { AdmissionControl, AdmissionRefusal } from '../../../collector/ingest/admission/admission.ts';
import { CLIENT_LIMITS, createClientQuotas } from '../../../collector/ingest/admission/client-quotas.ts';
import { UNLIMITED_CLIENTS } from '../../collector/unlimited-clients.ts';

const KEY = 'key-1';
const MIB = 2 ** 20;
const GIB = 2 ** 30;
const HOUR_MS = 3_600_000;

/** Without rates, which don't matter over a day. */
function opened(free: number | null, maxAddresses?: number) {
  const clock = { now: 1_000_000 };
  const quotas = createClientQuotas({ ...UNLIMITED_CLIENTS, storage: CLIENT_LIMITS.storage }, maxAddresses);
  if (free !== null) quotas.storage.setFree(free);
  return { clock, quotas, control: new AdmissionControl(quotas, () => clock.now) };
}

type Gate = ReturnType<typeof opened>['control'];

/** Null if it was stored, or the refusal. */
function store(control: Gate, ip: string, bytes: number, recentBrowser = false): AdmissionRefusal | null {
  try {
    const admitted = control.admitBatch(KEY, ip);
    if (recentBrowser && !admitted.acceptsRecentBrowsers) throw admitted.refuseRecentBrowser();
    admitted.stored(bytes, recentBrowser);
    return null;
  } catch (error) {
    if (!(error instanceof AdmissionRefusal)) throw error;
    return error;
  }
}

/** Stores until it is refused. Returns the GiB stored. */
function fill(control: Gate, ip: string, recentBrowser = false): number {
  for (let stored = 0; ; stored += MIB) if (store(control, ip, MIB, recentBrowser) !== null) return stored / GIB;
}

test('a network stores an eighth of the free space a day, continues after Retry-After, and takes nothing from others', () => {
  const { control, clock, quotas } = opened(32 * GIB);
  expect(fill(control, '192.0.2.1')).toBeCloseTo(4);
  const refusal = store(control, '192.0.2.1', 0);
  expect(refusal).toMatchObject({ reason: 'quota_exceeded', isBatch: true });
  expect(quotas.keys()[0]?.refused.quota_exceeded).toBe(2);
  expect(store(control, '192.0.2.2', MIB)).toBeNull();
  clock.now += (refusal?.retryAfterSeconds ?? 0) * 1000 + 1;
  expect(store(control, '192.0.2.1', MIB)).toBeNull();
  // It refills continuously: a sixth in four hours.
  clock.now += 4 * HOUR_MS;
  expect(fill(control, '192.0.2.1')).toBeCloseTo(4 / 6, 1);
});

test('an IPv6 /48 is one network', () => {
  const { control } = opened(32 * GIB);
  expect(fill(control, '2001:db8:1:1::1')).toBeCloseTo(4);
  expect(store(control, '2001:db8:1:2::1', MIB)?.reason).toBe('quota_exceeded');
  expect(store(control, '2001:db8:2:1::1', MIB)).toBeNull();
});

test('browsers known for less than a day leave half of it to the others', () => {
  const { control } = opened(32 * GIB);
  expect(fill(control, '192.0.2.1', true)).toBeCloseTo(2);
  expect(fill(control, '192.0.2.1')).toBeCloseTo(2);
  // More networks of recent browsers use up their share of the key; known browsers continue everywhere.
  for (const ip of ['192.0.2.2', '192.0.2.3']) fill(control, ip, true);
  expect(fill(control, '192.0.2.4', true)).toBeCloseTo(1 / 8);
  expect(store(control, '192.0.2.4', MIB)).toBeNull();
});

test('after some networks have used up the key, every other network still has its allowance', () => {
  const { control } = opened(32 * GIB);
  const stored = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map((ip) => fill(control, ip));
  const allowance = 1 / 4;
  expect(stored.reduce((sum, gib) => sum + gib)).toBeCloseTo(8 + allowance * 4, 1);
  expect(fill(control, '192.0.2.9')).toBeCloseTo(allowance);
});

test.each([
  [20_000, 32 * GIB],
  [300, 128 * MIB],
])('a working day of %d browsers behind one address fits, with %d bytes free', (browsers, free) => {
  const { control, clock } = opened(free);
  let refused = 0;
  for (let hour = 0; hour < 8; hour++) {
    for (let browser = 0; browser < browsers; browser++) if (store(control, '192.0.2.1', 25_000) !== null) refused++;
    clock.now += HOUR_MS;
  }
  expect(refused).toBe(0);
});

test('quotas follow the free space, and earlier bytes stay counted', () => {
  const { control, quotas } = opened(32 * GIB);
  expect(fill(control, '192.0.2.1')).toBeCloseTo(4);
  quotas.storage.setFree(64 * GIB);
  expect(fill(control, '192.0.2.1')).toBeCloseTo(4);
  quotas.storage.setFree(8 * GIB);
  // Retry-After is an hour, though it would take days: something may have been removed by then.
  expect(store(control, '192.0.2.1', MIB)?.retryAfterSeconds).toBe(3600);
});

test('the minimum quotas of a network and a key are never more than half of the free space', () => {
  const { control } = opened(32 * MIB);
  // The batch that exceeds it is stored.
  expect(fill(control, '192.0.2.1') * GIB).toBe(17 * MIB);
  expect(fill(control, '192.0.2.2') * GIB).toBeLessThan(4 * MIB);
});

test('nothing is limited if the engine can’t report the free space', () => {
  const { control } = opened(null);
  for (let i = 0; i < 100; i++) expect(store(control, '192.0.2.1', GIB, true)).toBeNull();
});

test('a network that used up its quota is not forgotten for many that stored little', () => {
  const { control, clock } = opened(32 * GIB, 1_000);
  fill(control, '192.0.2.1');
  for (let i = 0; i < 5_000; i++) {
    clock.now += 1_000;
    store(control, `10.0.${i >> 8}.${i & 255}`, 1_000);
  }
  expect(fill(control, '192.0.2.1')).toBeLessThan(1 / 2);
});
