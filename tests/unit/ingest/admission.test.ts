import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  AdmissionControl,
  AdmissionRefusal,
  type AdmittedRequest,
  CLIENT_LIMITS,
} from '../../../collector/ingest/admission/admission.ts';
import { toNetwork } from '../../../collector/ingest/admission/client-address.ts';
import { STORED_ROW_COST } from '../../../collector/ingest/admission/costs.ts';
import { SharedLimit } from '../../../collector/ingest/admission/shared-limit.ts';
import { retryAfter } from '../../../extension/background/delivery.ts';
import { UNLIMITED_CLIENTS } from '../../collector/unlimited-clients.ts';

const { network: NETWORK, allowance: ALLOWANCE, key: PER_KEY } = CLIENT_LIMITS.rate;
const KEY = 'key-1';
const MIB = 2 ** 20;
const GIB = 2 ** 30;
const WINDOW_MS = 10_000;
const DAY_MS = 86_400_000;

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000, toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function refusalOf(act: () => unknown): Promise<Pick<AdmissionRefusal, 'reason' | 'retryAfterSeconds'> | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (!(error instanceof AdmissionRefusal)) throw error;
    const { reason, retryAfterSeconds } = error;
    return { reason, retryAfterSeconds };
  }
}

/** Sends until it is refused. Returns the bytes sent. */
async function flood(control: AdmissionControl, ip: string, key = KEY): Promise<number> {
  for (let sent = 0; ; sent += MIB / 4) {
    if ((await refusalOf(async () => (await control.admitBatch(key, ip)).read(MIB / 4))) !== null) return sent;
  }
}

test('10,000 browsers with one key behind one address lose nothing: each is told when to return, and all is stored', async () => {
  const control = new AdmissionControl();
  const [browsers, rows, sentBytes] = [10_000, 150, 45_000];
  const returnsAt = new Float64Array(browsers);
  const start = Date.now();
  const refused = { busy: 0, rate_limited: 0, quota_exceeded: 0 };
  let waiting = browsers;
  /** Requests of each second. */
  const asked: number[] = [];
  while (waiting > 0) {
    const held: AdmittedRequest[] = [];
    asked.push(0);
    for (let browser = 0; browser < browsers; browser++) {
      if ((returnsAt[browser] as number) > Date.now()) continue;
      asked.push((asked.pop() as number) + 1);
      const refusal = await refusalOf(async () => {
        const admitted = await control.admitBatch(KEY, '192.0.2.1');
        held.push(admitted);
        admitted.receive(sentBytes);
        admitted.consumeBeyondBytes(rows * STORED_ROW_COST);
      });
      if (refusal === null) {
        returnsAt[browser] = Number.POSITIVE_INFINITY;
        waiting--;
        continue;
      }
      refused[refusal.reason]++;
      const wait = retryAfter(`${refusal.retryAfterSeconds}`, Date.now());
      expect(wait).toBeGreaterThanOrEqual(1000);
      returnsAt[browser] = Date.now() + (wait as number);
    }
    // What arrived in this second is stored in it.
    for (const admitted of held) admitted.release();
    vi.advanceTimersByTime(1000);
  }
  expect(refused).toEqual({ busy: expect.any(Number), rate_limited: expect.any(Number), quota_exceeded: 0 });
  expect(Math.min(refused.busy, refused.rate_limited)).toBeGreaterThan(0);
  // No slower than the rate of their address, but for the last windows.
  const ideal = (browsers * rows * STORED_ROW_COST * WINDOW_MS) / NETWORK;
  expect(Date.now() - start).toBeLessThan(1.2 * ideal);
  // All came in the first second; those refused come back spread over the window.
  expect(Math.max(...asked.slice(1))).toBeLessThan(browsers / 4);
  expect(control.memory.held).toBe(0);
});

test('a network that used up its window learns when to retry, and is then admitted', async () => {
  const control = new AdmissionControl();
  expect(await flood(control, '10.0.0.1')).toBeGreaterThanOrEqual(NETWORK - MIB);
  vi.advanceTimersByTime(WINDOW_MS - 2_000);
  expect(await refusalOf(() => control.admitBatch(KEY, '10.0.0.1'))).toEqual({
    reason: 'rate_limited',
    retryAfterSeconds: 3,
  });
  vi.advanceTimersByTime(2_000);
  expect(await refusalOf(() => control.admitBatch(KEY, '10.0.0.1'))).toBeNull();
});

test('a clock that is set back makes no wait longer than its window, which ends on time', async () => {
  const control = new AdmissionControl();
  const act = [() => control.admitBatch(KEY, '10.0.0.1'), () => control.limitSignIn('10.0.0.1')];
  await flood(control, '10.0.0.1');
  while ((await refusalOf(() => control.limitSignIn('10.0.0.1'))) === null);
  const day = new SharedLimit({ network: 1, allowance: 1, key: 1 }, DAY_MS / 1000);
  await day.take(2, 1, KEY);
  vi.setSystemTime(Date.now() - 5 * 3_600_000);
  const windowAndSpread = (2 * WINDOW_MS) / 1000;
  for (const one of act) expect((await refusalOf(one))?.retryAfterSeconds).toBeLessThanOrEqual(windowAndSpread);
  expect(await day.secondsUntilOpen(1, KEY)).toBe(DAY_MS / 1000);
  vi.advanceTimersByTime(WINDOW_MS);
  for (const one of act) expect(await refusalOf(one)).toBeNull();
  vi.advanceTimersByTime(DAY_MS);
  expect(await day.secondsUntilOpen(1, KEY)).toBe(0);
});

test('rows in few bytes count as rows', async () => {
  const control = new AdmissionControl();
  const admitted = await control.admitBatch(KEY, '10.0.0.1');
  admitted.read(1_000);
  admitted.consumeBeyondBytes(Math.ceil(NETWORK / STORED_ROW_COST) * STORED_ROW_COST);
  expect(await refusalOf(() => control.admitBatch(KEY, '10.0.0.1'))).toMatchObject({ reason: 'rate_limited' });
});

test('a flooding network takes nothing from another with the same key', async () => {
  const control = new AdmissionControl();
  await flood(control, '10.0.0.1');
  expect(await flood(control, '10.0.0.2')).toBeGreaterThanOrEqual(NETWORK - MIB);
});

test('after many networks have used up the key, every other network still has its allowance', async () => {
  const control = new AdmissionControl();
  let sent = 0;
  for (let i = 0; i < 10; i++) sent += await flood(control, `10.0.1.${i}`);
  expect(sent).toBeGreaterThanOrEqual(PER_KEY);
  expect(sent).toBeLessThan(PER_KEY + 11 * (ALLOWANCE + MIB));
  const last = await flood(control, '10.0.0.2');
  expect(last).toBeGreaterThanOrEqual(ALLOWANCE - MIB / 4);
  expect(last).toBeLessThanOrEqual(ALLOWANCE + MIB / 4);
  // Another key is another fleet.
  expect(await refusalOf(() => control.admitBatch('key-2', '10.0.0.3'))).toBeNull();
});

test('an IPv6 /48 is one network', async () => {
  const control = new AdmissionControl();
  let sent = 0;
  for (let i = 0; i < 100; i++) sent += await flood(control, `2001:db8:1:${i.toString(16)}::1`);
  expect(sent).toBeGreaterThanOrEqual(NETWORK - MIB);
  expect(sent).toBeLessThanOrEqual(NETWORK + MIB);
  expect(await flood(control, '2001:db8:2::1')).toBeGreaterThanOrEqual(NETWORK - MIB);
});

test('setting the clock back or far ahead locks no client out', async () => {
  const control = new AdmissionControl();
  await flood(control, '10.0.0.1');
  vi.setSystemTime(Date.now() - 400 * DAY_MS);
  expect((await refusalOf(() => control.admitBatch(KEY, '10.0.0.1')))?.retryAfterSeconds).toBeLessThanOrEqual(3600);
  vi.advanceTimersByTime(WINDOW_MS);
  expect(await refusalOf(() => control.admitBatch(KEY, '10.0.0.1'))).toBeNull();
  await flood(control, '10.0.0.1');
  vi.setSystemTime(Date.now() + 800 * DAY_MS);
  expect(await refusalOf(() => control.admitBatch(KEY, '10.0.0.1'))).toBeNull();
});

test('memory: one network gets a third, the next one half of the rest, and all of it is freed', async () => {
  const control = new AdmissionControl(CLIENT_LIMITS, 60 * MIB);
  const requests: AdmittedRequest[] = [];
  const fill = async (addressOf: (i: number) => string) => {
    for (let held = 0; ; held++) {
      const admitted = control.admitOther(KEY, addressOf(held));
      if ((await refusalOf(() => admitted.hold(MIB))) !== null) return held;
      requests.push(admitted);
    }
  };
  expect(await fill(() => '10.0.0.1')).toBe(20);
  expect(await fill((i) => `2001:db8:1:${i.toString(16)}::1`)).toBe(13);
  for (let i = 3; i < 20; i++) await fill(() => `10.0.0.${i}`);
  expect(control.memory.held).toBeLessThan(60 * MIB);
  expect(control.keyUse(KEY).refused.busy).toBe(19);
  for (const admitted of requests) {
    admitted.release();
    admitted.release();
  }
  expect(control.memory.held).toBe(0);
});

test('a body in small chunks holds more memory than its bytes', () => {
  const control = new AdmissionControl();
  const pieces = control.admitOther(KEY, '10.0.0.2');
  for (let i = 0; i < 1000; i++) pieces.receive(1);
  expect(control.memory.held).toBeGreaterThan(100_000);
});

/** Stores until it is refused, without rates, which don't matter over a day. Returns the GiB stored. */
async function fillDisk(control: AdmissionControl, ip: string): Promise<number> {
  for (let stored = 0; ; stored += MIB) {
    const refusal = await refusalOf(async () => (await control.admitBatch(KEY, ip)).stored(MIB));
    if (refusal !== null) {
      expect(refusal.reason).toBe('quota_exceeded');
      return stored / GIB;
    }
  }
}

function withFree(bytes: number): AdmissionControl {
  const { stored, leastStoredBytes } = CLIENT_LIMITS;
  const control = new AdmissionControl({ ...UNLIMITED_CLIENTS, stored, leastStoredBytes });
  control.setFree(bytes);
  return control;
}

test('a network stores an eighth of the free space a day, and takes nothing from others', async () => {
  const control = withFree(32 * GIB);
  expect(await fillDisk(control, '192.0.2.1')).toBeCloseTo(4);
  // Retry-After is an hour, though it may take a day: something may have been removed by then.
  expect((await refusalOf(() => control.admitBatch(KEY, '192.0.2.1')))?.retryAfterSeconds).toBe(3600);
  expect(await refusalOf(() => control.admitBatch(KEY, '192.0.2.2'))).toBeNull();
  expect(control.keyUse(KEY).refused.quota_exceeded).toBe(2);
  expect(await control.quotaUse(KEY)).toBeCloseTo(4 / 8, 1);
  control.setFree(64 * GIB);
  expect(await fillDisk(control, '192.0.2.1')).toBeCloseTo(4);
  vi.advanceTimersByTime(DAY_MS);
  expect(await refusalOf(() => control.admitBatch(KEY, '192.0.2.1'))).toBeNull();
});

test('after some networks have used up the key, every other network still has its allowance', async () => {
  const control = withFree(32 * GIB);
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) await fillDisk(control, ip);
  expect(await fillDisk(control, '192.0.2.9')).toBeCloseTo(1 / 4, 1);
});

test.each([
  [20_000, 32 * GIB],
  [300, 128 * MIB],
])('a working day of %d browsers behind one address fits, with %d bytes free', async (browsers, free) => {
  const control = withFree(free);
  for (let hour = 0; hour < 8; hour++) {
    for (let browser = 0; browser < browsers; browser += 100) {
      (await control.admitBatch(KEY, '192.0.2.1')).stored(100 * 25_000);
    }
    vi.advanceTimersByTime(DAY_MS / 24);
  }
});

test('the smallest quotas of a network and a key are never more than half of the free space', async () => {
  const control = withFree(32 * MIB);
  expect((await fillDisk(control, '192.0.2.1')) * GIB).toBe(16 * MIB);
  expect((await fillDisk(control, '192.0.2.2')) * GIB).toBeLessThan(4 * MIB);
});

test('nothing that is stored is limited if the engine can’t report the free space', async () => {
  const control = new AdmissionControl(UNLIMITED_CLIENTS);
  for (let i = 0; i < 100; i++) (await control.admitBatch(KEY, '192.0.2.1')).stored(GIB);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['2001:db8:1:2::9', '2001:db8:1::'],
  ['2001:db8::9', '2001:db8:0::'],
  ['::1', '0:0:0::'],
  ['fe80::1%eth0', 'fe80:0:0::'],
  ['', ''],
])('%s counts as %s', (ip, network) => {
  expect(toNetwork(ip)).toBe(network);
});

test('a port after an address, as some proxies write it, is no client of its own, nor is an invented text', () => {
  expect(toNetwork('192.0.2.7:4711')).toBe('192.0.2.7');
  expect(toNetwork('[2001:db8:1:2::7]:4711')).toBe(toNetwork('2001:db8:1:2::8'));
  expect(toNetwork('[2001:db8:1:2::7]')).toBe(toNetwork('2001:db8:1:2::8'));
  const madeUp = ['', 'a', 'a:b:c:d:e', '1.2.3', '1.2.3.4:5:6', `${'f'.repeat(100)}`].map(toNetwork);
  expect(new Set(madeUp).size).toBe(1);
});

test('changes with one token are refused beyond the limit until the window ends, and those with another token are not', async () => {
  const control = new AdmissionControl({ ...UNLIMITED_CLIENTS, changes: 3 });
  const change = (token: string) => refusalOf(() => control.limitChange(token));
  expect([await change('a'), await change('a'), await change('a')]).toEqual([null, null, null]);
  expect((await change('a'))?.reason).toBe('rate_limited');
  expect(await change('b')).toBeNull();
  vi.advanceTimersByTime(WINDOW_MS);
  expect(await change('a')).toBeNull();
});
