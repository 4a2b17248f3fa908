import { expect, test } from 'vitest';
import { CLIENT_LIMITS } from '../../../collector/ingest/admission/admission.ts';
import { createDiskReserve, spareBytes, toReserve } from '../../../collector/ingest/admission/disk-reserve.ts';

const { reserve } = CLIENT_LIMITS;
const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** A disk of 48 MiB, of which 12 are the reserve. */
function opened(free: number) {
  const disk = { free, clock: 0, looks: 0, quotaOf: 0 };
  const room = createDiskReserve({
    freeSpace: async () => {
      disk.looks++;
      return { bytes: disk.free, onDisk: disk.free, size: 48 * MIB };
    },
    quotas: { setFree: (bytes) => (disk.quotaOf = bytes) },
    reserve,
    clock: () => disk.clock,
    failed: (error) => {
      throw error;
    },
  });
  return { disk, room };
}

test.each([
  ['tiny', 48 * MIB, 12 * MIB],
  ['small', GIB, 64 * MIB],
  ['large', 100 * GIB, 2 * GIB],
])('the reserve of a %s disk', (_name, size, expected) => {
  expect(toReserve(reserve, size)).toBeCloseTo(expected, -6);
});

test('free pages of the file are available as long as the disk has half of the reserve for the log', () => {
  const size = 48 * MIB;
  expect(spareBytes({ bytes: 30 * MIB, onDisk: 30 * MIB, size }, reserve)).toBe(18 * MIB);
  expect(spareBytes({ bytes: 30 * MIB, onDisk: 8 * MIB, size }, reserve)).toBe(2 * MIB);
  expect(spareBytes({ bytes: 30 * MIB, onDisk: 5 * MIB, size }, reserve)).toBeLessThan(0);
});

test('between two checks, bodies that arrived since and those being stored are counted', async () => {
  const { disk, room } = opened(20 * MIB);
  await room.check();
  // 8 MiB are available; each MiB is written to the log and to the file.
  for (let i = 0; i < 3; i++) await room.reserve(MIB);
  expect(disk.looks).toBe(1);
  await room.reserve(MIB);
  // By another check it would fit, except for the four being stored.
  await expect(room.reserve(MIB)).rejects.toMatchObject({ code: 'store_full' });
  expect(disk.looks).toBe(2);
  await expect(room.check()).rejects.toMatchObject({ code: 'store_full' });
  for (let i = 0; i < 4; i++) room.release(MIB);
  await room.reserve(MIB);
  await room.check();
  expect(disk.looks).toBe(5);
});

test('on a full disk batches are refused until there is space, and quotas are those of the reserve', async () => {
  const { disk, room } = opened(11 * MIB);
  // The full disk makes it reject; what matters is the state that it leaves.
  await room.check().catch(() => undefined);
  await expect(room.reserve(1000)).rejects.toMatchObject({
    code: 'store_full',
    hint: expect.stringContaining('Free space'),
  });
  expect(disk.quotaOf).toBe(12 * MIB);
  disk.free = 40 * MIB;
  await room.reserve(1000);
  expect(disk.quotaOf).toBe(28 * MIB);
});

test('the disk is checked once a second while batches arrive, even if the clock was set back', () => {
  const { disk, room } = opened(40 * MIB);
  disk.clock = 50_000;
  room.batchArrives();
  disk.clock = 50_999;
  room.batchArrives();
  expect(disk.looks).toBe(1);
});
