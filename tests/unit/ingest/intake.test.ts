import { expect, test } from 'vitest';
import { CLIENT_LIMITS, createClientAccounts } from '../../../collector/ingest/client-accounts.ts';
import { clientAddress } from '../../../collector/ingest/client-address.ts';
import { type Intake, IntakeGate } from '../../../collector/ingest/intake.ts';
import type { IntakeRefusal } from '../../../collector/ingest/intake-refusal.ts';

const {
  addressBurstBytes: ADDRESS_BURST_BYTES,
  addressBytesPerSecond: ADDRESS_BYTES_PER_SECOND,
  allowanceBurstBytes: ALLOWANCE_BURST_BYTES,
  keyBurstBytes: KEY_BURST_BYTES,
} = CLIENT_LIMITS;
const KEY = 'key-1';
const MIB = 2 ** 20;

function gateAt(now = 1_000_000, maxBytes = 64 * MIB) {
  const clock = { now };
  const accounts = createClientAccounts();
  return { clock, accounts, gate: new IntakeGate(accounts, () => clock.now, maxBytes) };
}

function refusalOf(act: () => unknown): Pick<IntakeRefusal, 'reason' | 'retryAfterSeconds'> | null {
  try {
    act();
    return null;
  } catch (error) {
    const { reason, retryAfterSeconds } = error as IntakeRefusal;
    return { reason, retryAfterSeconds };
  }
}

/** Sends until it is refused; how many bytes that were. */
function flood(gate: IntakeGate, ip: string): number {
  for (let sent = 0; ; sent += MIB) {
    if (refusalOf(() => gate.admitBatch(KEY, ip).read(MIB)) !== null) return sent;
  }
}

test('an address that used up its burst is told when to come back, and then may again', () => {
  const { gate, clock } = gateAt();
  expect(flood(gate, '10.0.0.1')).toBeGreaterThanOrEqual(ADDRESS_BURST_BYTES - MIB);
  const refusal = refusalOf(() => gate.admitBatch(KEY, '10.0.0.1'));
  expect(refusal).toMatchObject({ reason: 'rate_limited', retryAfterSeconds: 1 });
  clock.now += 1000;
  expect(refusalOf(() => gate.admitBatch(KEY, '10.0.0.1'))).toBeNull();
});

test('one address that floods takes nothing from another with the same key', () => {
  const { gate } = gateAt();
  flood(gate, '10.0.0.1');
  expect(flood(gate, '10.0.0.2')).toBeGreaterThanOrEqual(ADDRESS_BURST_BYTES - MIB);
});

test('when many addresses have used up the key, each other one still has its allowance', () => {
  const { gate } = gateAt();
  const sent = Array.from({ length: 10 }, (_, i) => flood(gate, `10.0.1.${i}`));
  expect(sent.reduce((sum, bytes) => sum + bytes)).toBeLessThan(KEY_BURST_BYTES + 11 * ALLOWANCE_BURST_BYTES);
  const last = flood(gate, '10.0.0.2');
  expect(last).toBeGreaterThanOrEqual(ALLOWANCE_BURST_BYTES - MIB);
  expect(last).toBeLessThanOrEqual(ALLOWANCE_BURST_BYTES + MIB);
  // Another key is another fleet.
  expect(refusalOf(() => gate.admitBatch('key-2', '10.0.0.3'))).toBeNull();
});

test('a thousand honest browsers behind one address are never refused', () => {
  const { gate, clock } = gateAt();
  // Each sends 500 rows of 200 bytes every five minutes.
  for (let second = 0; second < 1800; second++) {
    for (let browser = 0; browser < 1000 / 300; browser++) {
      const intake = gate.admitBatch(KEY, '10.0.0.1');
      intake.hold(100_000);
      intake.read(100_000);
      intake.release();
    }
    clock.now += 1000;
  }
});

test('an office of 100 browsers that all come back after an outage has everything stored within a minute', () => {
  const { gate, clock, accounts } = gateAt();
  const waiting = Array.from({ length: 100 }, () => 10);
  const start = clock.now;
  while (waiting.some((batches) => batches > 0)) {
    for (const browser of waiting.keys()) {
      while ((waiting[browser] as number) > 0) {
        // 300 rows of 200 bytes, three afternoons of it.
        if (refusalOf(() => gate.admitBatch(KEY, '10.0.0.1').read(180_000)) !== null) break;
        waiting[browser] = (waiting[browser] as number) - 1;
      }
    }
    clock.now += 1000;
  }
  expect(clock.now - start).toBeLessThan(60_000);
  expect(accounts.keys()[0]?.refused.rate_limited).toBeGreaterThan(0);
});

test('room: one client gets a third, a newcomer half of what is left, and all of it is given back', () => {
  const { gate, accounts } = gateAt(0, 60 * MIB);
  const intakes: Intake[] = [];
  const fill = (ip: string) => {
    for (let held = 0; ; held += MIB) {
      const intake = gate.admitOther(KEY, ip);
      if (refusalOf(() => intake.hold(MIB)) !== null) return held / MIB;
      intakes.push(intake);
    }
  };
  expect(fill('10.0.0.1')).toBe(20);
  expect(fill('10.0.0.2')).toBe(13);
  for (let i = 3; i < 20; i++) {
    const newcomer = gate.admitOther(KEY, `10.0.0.${i}`);
    newcomer.hold(64 * 1024);
    intakes.push(newcomer);
    fill(`10.0.0.${i}`);
  }
  expect(gate.held).toBeLessThan(60 * MIB);
  expect(accounts.keys()[0]?.refused.busy).toBe(19);
  for (const intake of intakes) {
    intake.release();
    intake.release();
  }
  expect(gate.held).toBe(0);
});

test('a clock that is set back or far ahead locks nobody out', () => {
  const { gate, clock } = gateAt();
  flood(gate, '10.0.0.1');
  clock.now -= 86_400_000;
  expect(refusalOf(() => gate.admitBatch(KEY, '10.0.0.1'))?.retryAfterSeconds).toBe(1);
  clock.now += 1000;
  expect(refusalOf(() => gate.admitBatch(KEY, '10.0.0.1'))).toBeNull();
  clock.now += 400 * 86_400_000;
  expect(refusalOf(() => gate.admitBatch(KEY, '10.0.0.1'))).toBeNull();
});

test('what came with a body that cost everything is refused when its turn comes', () => {
  const { gate } = gateAt();
  const intake = gate.admitBatch(KEY, '10.0.0.1');
  intake.charge(ADDRESS_BURST_BYTES + 2 * ADDRESS_BYTES_PER_SECOND);
  expect(refusalOf(() => intake.checkRate())).toEqual({ reason: 'rate_limited', retryAfterSeconds: 3 });
});

test('addresses that are remembered are bounded; those that hold room are kept', () => {
  const accounts = createClientAccounts(CLIENT_LIMITS, 100);
  const gate = new IntakeGate(accounts, () => 0);
  const held = gate.admitOther(KEY, '10.0.0.1');
  held.hold(MIB);
  const before = held.client;
  for (let i = 0; i < 5000; i++) gate.admitBatch(KEY, `10.1.${i >> 8}.${i & 255}`);
  expect(accounts.client('10.0.0.1', 0)).toBe(before);
  expect(accounts.client('10.1.0.0', 0).all.isFull(0)).toBe(true);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s counts as %s', (ip, address) => {
  expect(clientAddress(ip)).toBe(address);
});
