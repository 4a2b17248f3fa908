import { expect, test } from 'vitest';
import { AdmissionControl } from '../../../collector/ingest/admission/admission.ts';
import { CLIENT_LIMITS, createClientQuotas } from '../../../collector/ingest/admission/client-quotas.ts';
import type { GroupCommit } from '../../../collector/ingest/group-commit.ts';
import { ingestBody, ReceivedBody } from '../../../collector/ingest/group-commit.ts';

const SENT = { receivedAt: 0, key: 'key-1' };

/** The cost to its network of a body of so many bytes with so many stored rows. */
async function costOf(
  bytes: number,
  accepted: number,
  { duplicate = false, newBrowser = false } = {},
): Promise<number> {
  const admitted = new AdmissionControl(createClientQuotas(), () => 0).admitOther('key-1', '192.0.2.1');
  const answer = { batch: 'b', duplicate, accepted, rejected: [] };
  const commit: GroupCommit = {
    add: async () => ({
      ok: true,
      answer,
      folded: 0,
      coarsened: 0,
      droppedMetrics: 0,
      storedBytes: 0,
      recentBrowser: false,
      newBrowser,
    }),
    drain: async () => {},
  };
  await ingestBody(commit, new ReceivedBody(Buffer.alloc(bytes), admitted), SENT);
  return CLIENT_LIMITS.networkBurstBytes - admitted.network.all.level(0);
}

test('rows in fewer bytes than a browser sends cost as much', async () => {
  // Its bytes were counted as they arrived.
  expect(await costOf(1_000, 500)).toBe(500 * 400 - 1_000);
  expect(await costOf(500 * 500, 500)).toBe(0);
});

test('a batch costs the pages that it changes, however few rows it has', async () => {
  expect(await costOf(1_000, 0)).toBe(8 * 1024 - 1_000);
  expect(await costOf(1_000, 0, { duplicate: true })).toBe(8 * 1024 - 1_000);
  expect(await costOf(1_000, 5, { newBrowser: true })).toBe(32 * 1024 - 1_000);
  expect(await costOf(40_000, 5, { newBrowser: true })).toBe(0);
});

test('20,000 browsers behind one address may each send a batch a minute, of a few rows or none', async () => {
  const request = 2 * 1024;
  const bytes = 900;
  const perBatch = request + bytes + (await costOf(bytes, 20));
  expect((20_000 / 60) * perBatch).toBeLessThan(CLIENT_LIMITS.addressBytesPerSecond);
});
