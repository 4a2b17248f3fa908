import { expect, test } from 'vitest';
import type { AdmissionRefusal } from '../../../collector/ingest/admission/admission.ts';
import { AdmissionControl, type AdmittedRequest } from '../../../collector/ingest/admission/admission.ts';
import { clientAddress, networkOf } from '../../../collector/ingest/admission/client-address.ts';
import { CLIENT_LIMITS, createClientQuotas } from '../../../collector/ingest/admission/client-quotas.ts';

const {
  addressBurstBytes: ADDRESS_BURST_BYTES,
  addressBytesPerSecond: ADDRESS_BYTES_PER_SECOND,
  allowanceBurstBytes: ALLOWANCE_BURST_BYTES,
  keyBurstBytes: KEY_BURST_BYTES,
  networkBurstBytes: NETWORK_BURST_BYTES,
  networkAllowanceBurstBytes: NETWORK_ALLOWANCE_BURST_BYTES,
} = CLIENT_LIMITS;
const KEY = 'key-1';
const MIB = 2 ** 20;

function gateAt(now = 1_000_000, maxBytes = 64 * MIB) {
  const clock = { now };
  const quotas = createClientQuotas();
  return { clock, quotas, control: new AdmissionControl(quotas, () => clock.now, maxBytes) };
}

function refusalOf(act: () => unknown): Pick<AdmissionRefusal, 'reason' | 'retryAfterSeconds'> | null {
  try {
    act();
    return null;
  } catch (error) {
    const { reason, retryAfterSeconds } = error as AdmissionRefusal;
    return { reason, retryAfterSeconds };
  }
}

/** Sends until it is refused. Returns the bytes sent. */
function flood(control: AdmissionControl, ip: string): number {
  for (let sent = 0; ; sent += MIB) {
    if (refusalOf(() => control.admitBatch(KEY, ip).read(MIB)) !== null) return sent;
  }
}

test('an address that used up its burst learns when to retry, and is then admitted', () => {
  const { control, clock } = gateAt();
  expect(flood(control, '10.0.0.1')).toBeGreaterThanOrEqual(ADDRESS_BURST_BYTES - MIB);
  const refusal = refusalOf(() => control.admitBatch(KEY, '10.0.0.1'));
  expect(refusal).toMatchObject({ reason: 'rate_limited', retryAfterSeconds: 1 });
  clock.now += 1000;
  expect(refusalOf(() => control.admitBatch(KEY, '10.0.0.1'))).toBeNull();
});

test('a flooding address takes nothing from another with the same key', () => {
  const { control } = gateAt();
  flood(control, '10.0.0.1');
  expect(flood(control, '10.0.0.2')).toBeGreaterThanOrEqual(ADDRESS_BURST_BYTES - MIB);
});

test('after many addresses have used up the key, every other address still has its allowance', () => {
  const { control } = gateAt();
  const sent = Array.from({ length: 10 }, (_, i) => flood(control, `10.0.1.${i}`));
  expect(sent.reduce((sum, bytes) => sum + bytes)).toBeLessThan(KEY_BURST_BYTES + 11 * ALLOWANCE_BURST_BYTES);
  const last = flood(control, '10.0.0.2');
  expect(last).toBeGreaterThanOrEqual(ALLOWANCE_BURST_BYTES - MIB);
  expect(last).toBeLessThanOrEqual(ALLOWANCE_BURST_BYTES + MIB);
  // Another key is another fleet.
  expect(refusalOf(() => control.admitBatch('key-2', '10.0.0.3'))).toBeNull();
});

test('an IPv6 /48 has a limit of its own, and the allowances of eight addresses', () => {
  const { control } = gateAt();
  const addressOf = (i: number) => `2001:db8:1:${i.toString(16)}::1`;
  let sent = 0;
  for (let i = 0; i < 1000; i++) sent += flood(control, addressOf(i));
  expect(sent).toBeGreaterThanOrEqual(NETWORK_BURST_BYTES - MIB);
  expect(sent).toBeLessThanOrEqual(NETWORK_BURST_BYTES + MIB);
  expect(flood(control, '2001:db8:2::1')).toBeGreaterThanOrEqual(ADDRESS_BURST_BYTES - MIB);
});

test('once the key is used up, a /48 has one allowance, not one per address', () => {
  const { control } = gateAt();
  for (let i = 0; i < 10; i++) flood(control, `10.0.1.${i}`);
  let sent = 0;
  for (let i = 0; i < 100; i++) sent += flood(control, `2001:db8:1:${i.toString(16)}::1`);
  expect(sent).toBeGreaterThanOrEqual(NETWORK_ALLOWANCE_BURST_BYTES - MIB);
  expect(sent).toBeLessThanOrEqual(NETWORK_ALLOWANCE_BURST_BYTES + 10 * MIB);
  expect(flood(control, '10.0.0.2')).toBeGreaterThanOrEqual(ALLOWANCE_BURST_BYTES - MIB);
});

test('memory: a /48 gets as much as one address', () => {
  const { control } = gateAt(0, 60 * MIB);
  let held = 0;
  for (let i = 0; i < 1000; i++) {
    const admitted = control.admitOther(KEY, `2001:db8:1:${i.toString(16)}::1`);
    if (refusalOf(() => admitted.hold(MIB)) === null) held++;
  }
  expect(held).toBe(20);
});

test('a thousand honest browsers behind one address are never refused', () => {
  const { control, clock } = gateAt();
  // Each sends 500 rows of 200 bytes every five minutes.
  for (let second = 0; second < 1800; second++) {
    for (let browser = 0; browser < 1000 / 300; browser++) {
      const admitted = control.admitBatch(KEY, '10.0.0.1');
      admitted.hold(100_000);
      admitted.read(100_000);
      admitted.release();
    }
    clock.now += 1000;
  }
});

test('an office of 100 browsers that all return after an outage has everything stored within a minute', () => {
  const { control, clock, quotas } = gateAt();
  const waiting = Array.from({ length: 100 }, () => 10);
  const start = clock.now;
  while (waiting.some((batches) => batches > 0)) {
    for (const browser of waiting.keys()) {
      while ((waiting[browser] as number) > 0) {
        // 300 rows of 200 bytes, three afternoons of it.
        if (refusalOf(() => control.admitBatch(KEY, '10.0.0.1').read(180_000)) !== null) break;
        waiting[browser] = (waiting[browser] as number) - 1;
      }
    }
    clock.now += 1000;
  }
  expect(clock.now - start).toBeLessThan(60_000);
  expect(quotas.keys()[0]?.refused.rate_limited).toBeGreaterThan(0);
});

test('memory: one client gets a third, the next one half of the rest, and all of it is freed', () => {
  const { control, quotas } = gateAt(0, 60 * MIB);
  const requests: AdmittedRequest[] = [];
  const fill = (ip: string) => {
    for (let held = 0; ; held += MIB) {
      const admitted = control.admitOther(KEY, ip);
      if (refusalOf(() => admitted.hold(MIB)) !== null) return held / MIB;
      requests.push(admitted);
    }
  };
  expect(fill('10.0.0.1')).toBe(20);
  expect(fill('10.0.0.2')).toBe(13);
  for (let i = 3; i < 20; i++) {
    const newcomer = control.admitOther(KEY, `10.0.0.${i}`);
    newcomer.hold(64 * 1024);
    requests.push(newcomer);
    fill(`10.0.0.${i}`);
  }
  expect(control.memory.held).toBeLessThan(60 * MIB);
  expect(quotas.keys()[0]?.refused.busy).toBe(19);
  for (const admitted of requests) {
    admitted.release();
    admitted.release();
  }
  expect(control.memory.held).toBe(0);
});

/** An incomplete body of so many bytes; `cut` is why it was displaced. */
function arriving(control: AdmissionControl, ip: string, bytes: number) {
  const admitted = control.admitOther(KEY, ip);
  const body = { admitted, cut: null as string | null };
  admitted.arriving(({ reason }) => {
    body.cut = reason;
    admitted.release();
  });
  admitted.receive(bytes);
  return body;
}

test('without memory, stalled bodies are displaced after two seconds, the slowest first and only as many as needed', () => {
  const { control, clock, quotas } = gateAt(0, 9 * MIB);
  const stopped = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((ip) => {
    clock.now += 1;
    return arriving(control, ip, MIB * 1.75);
  });
  const newcomer = control.admitOther(KEY, '10.0.0.9');
  clock.now = 1999;
  expect(refusalOf(() => newcomer.hold(MIB * 1.5))).toMatchObject({ reason: 'busy' });
  clock.now = 2100;
  newcomer.hold(MIB * 1.5);
  expect(stopped.map(({ cut }) => cut)).toEqual(['busy', null, null]);
  expect(quotas.keys()[0]?.refused.busy).toBe(2);
  newcomer.release();
  for (const { admitted } of stopped) admitted.release();
  expect(control.memory.held).toBe(0);
});

test('a body at 8 KiB/s or a complete one is not displaced; a slower one is', () => {
  const { control, clock } = gateAt(0, 9 * MIB);
  const [steady, complete, slow] = [1, 2, 3].map((i) => arriving(control, `10.0.0.${i}`, MIB * 1.75)) as [
    ReturnType<typeof arriving>,
    ReturnType<typeof arriving>,
    ReturnType<typeof arriving>,
  ];
  complete.admitted.arrived();
  for (let second = 0; second < 11; second++) {
    clock.now += 1000;
    steady.admitted.receive(9 * 1024);
    slow.admitted.receive(7 * 1024);
  }
  const newcomer = control.admitOther(KEY, '10.0.0.9');
  newcomer.hold(MIB * 1.5);
  expect([steady.cut, complete.cut, slow.cut]).toEqual([null, null, 'busy']);
});

test('a large client displaces no small one on a slow line, and no body displaces itself', () => {
  const { control, clock } = gateAt(0, 9 * MIB);
  const slow = arriving(control, '10.0.0.1', 1000);
  const flooding = arriving(control, '10.0.0.2', 2 * MIB);
  clock.now = 10_000;
  expect(refusalOf(() => flooding.admitted.hold(2 * MIB))).toMatchObject({ reason: 'busy' });
  expect([slow.cut, flooding.cut]).toEqual([null, null]);
});

test('setting the clock back does not protect stalled bodies', () => {
  const { control, clock } = gateAt(86_400_000, 3 * MIB);
  const stopped = arriving(control, '10.0.0.1', MIB * 0.9);
  clock.now = 0;
  control.admitOther(KEY, '10.0.0.2').hold(MIB * 0.9);
  expect(stopped.cut).toBe('busy');
});

test('concurrently admitted bodies end once they overdraw by seconds; small chunks hold more memory', () => {
  const { control, clock } = gateAt();
  const requests = Array.from({ length: 200 }, () => control.admitBatch(KEY, '10.0.0.1'));
  const taken = requests.filter(
    (admitted) =>
      refusalOf(() => {
        admitted.receive(MIB);
        admitted.release();
      }) === null,
  );
  const most = ADDRESS_BURST_BYTES + 5 * ADDRESS_BYTES_PER_SECOND + MIB;
  expect(taken.length * MIB).toBeGreaterThan(ADDRESS_BURST_BYTES);
  expect(taken.length * MIB).toBeLessThanOrEqual(most);
  // An admin at that address can still change settings.
  expect(refusalOf(() => control.admitOther(KEY, '10.0.0.1').receive(1000))).toBeNull();
  for (const admitted of requests) admitted.release();
  clock.now += 60_000;
  const pieces = control.admitBatch(KEY, '10.0.0.2');
  for (let i = 0; i < 1000; i++) pieces.receive(1);
  expect(control.memory.held).toBeGreaterThan(100_000);
  pieces.release();
});

test('setting the clock back or far ahead locks no client out', () => {
  const { control, clock } = gateAt();
  flood(control, '10.0.0.1');
  clock.now -= 86_400_000;
  expect(refusalOf(() => control.admitBatch(KEY, '10.0.0.1'))?.retryAfterSeconds).toBe(1);
  clock.now += 1000;
  expect(refusalOf(() => control.admitBatch(KEY, '10.0.0.1'))).toBeNull();
  clock.now += 400 * 86_400_000;
  expect(refusalOf(() => control.admitBatch(KEY, '10.0.0.1'))).toBeNull();
});

test('a body queued behind one that used up everything is refused when it is due', () => {
  const { control } = gateAt();
  const admitted = control.admitBatch(KEY, '10.0.0.1');
  admitted.consume(ADDRESS_BURST_BYTES + 2 * ADDRESS_BYTES_PER_SECOND);
  expect(refusalOf(() => admitted.checkRate())).toEqual({ reason: 'rate_limited', retryAfterSeconds: 3 });
});

test('remembered addresses are bounded; those that hold memory are kept', () => {
  const quotas = createClientQuotas(CLIENT_LIMITS, 100);
  const control = new AdmissionControl(quotas, () => 0);
  const held = control.admitOther(KEY, '10.0.0.1');
  held.hold(MIB);
  for (let i = 0; i < 5000; i++) control.admitBatch(KEY, `10.1.${i >> 8}.${i & 255}`);
  expect(quotas.network(quotas.client('10.0.0.1', 0), 0)).toBe(held.network);
  expect(quotas.client('10.1.0.0', 0).all.isFull(0)).toBe(true);
});

test.each([
  ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1::'],
  ['2001:db8:1:2::9', '2001:db8:1:2', '2001:db8:1::'],
  ['2001:db8::9', '2001:db8:0:0', '2001:db8:0::'],
  ['::1', '0:0:0:0', '0:0:0::'],
  ['fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0::'],
  ['', '', ''],
])('%s counts as %s in %s', (ip, address, network) => {
  expect(clientAddress(ip)).toBe(address);
  expect(networkOf(address)).toBe(network);
});

test('a port after an address, as some proxies write it, is no client of its own, nor is an invented text', () => {
  expect(clientAddress('192.0.2.7:4711')).toBe('192.0.2.7');
  expect(clientAddress('[2001:db8:1:2::7]:4711')).toBe(clientAddress('2001:db8:1:2::8'));
  expect(clientAddress('[2001:db8:1:2::7]')).toBe(clientAddress('2001:db8:1:2::8'));
  expect(clientAddress('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(clientAddress('fe80::1%eth0')).toBe(clientAddress('fe80::1'));
  const madeUp = ['', 'a', 'a:b:c:d:e', '1.2.3', '1.2.3.4:5:6', `${'f'.repeat(100)}`].map(clientAddress);
  expect(new Set(madeUp).size).toBe(1);
});
