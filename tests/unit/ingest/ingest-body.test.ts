import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { AdmissionControl, CLIENT_LIMITS } from '../../../collector/ingest/admission/admission.ts';
import { REFUSED_BODY_COST, REQUEST_COST, STORED_ROW_COST } from '../../../collector/ingest/admission/costs.ts';
import { decodeJson } from '../../../collector/ingest/decode/decode-json.ts';
import type { GroupCommit } from '../../../collector/ingest/group-commit.ts';
import { ingestBody, ReceivedBody } from '../../../collector/ingest/group-commit.ts';
import { createInflater } from '../../../collector/ingest/inflate.ts';
import { generateBatches } from '../../bench/generate-samples.ts';

const WINDOW_SECONDS = 10;
const SENT = { receivedAt: 0, key: 'key-1' };

/** What its network pays for everything that is done with the limits. */
function metered() {
  const control = new AdmissionControl();
  const take = vi.spyOn(control.rate, 'take');
  return { control, cost: () => take.mock.calls.reduce((sum, [points]) => sum + points, 0) };
}

const stored = (accepted: number, { duplicate = false, newBrowser = false } = {}) => ({
  ok: true as const,
  answer: { batch: 'b', duplicate, accepted, rejected: [] },
  folded: 0,
  coarsened: 0,
  droppedMetrics: 0,
  storedBytes: 0,
  newBrowser,
});

const committed = (add: GroupCommit['add']): GroupCommit => ({ add, drain: async () => {} });

/** The cost to its network of a body of so many bytes, sent and inflated, with so many stored rows. */
async function costOf(bytes: number, accepted: number, how = {}): Promise<number> {
  const { control, cost } = metered();
  const admitted = control.admitOther('key-1', '192.0.2.1');
  admitted.read(bytes);
  const commit = committed(async () => stored(accepted, how));
  await ingestBody(commit, new ReceivedBody(Buffer.alloc(bytes), admitted), SENT);
  return cost();
}

test('rows in fewer bytes than a browser sends cost as much', async () => {
  expect(await costOf(1_000, 500)).toBe(500 * 400);
  expect(await costOf(500 * 500, 500)).toBe(500 * 500);
});

test('a batch costs the pages that it changes, however few rows it has', async () => {
  expect(await costOf(1_000, 0)).toBe(8 * 1024);
  expect(await costOf(1_000, 0, { duplicate: true })).toBe(8 * 1024);
  expect(await costOf(1_000, 5, { newBrowser: true })).toBe(32 * 1024);
  expect(await costOf(40_000, 5, { newBrowser: true })).toBe(40_000);
});

test('20,000 browsers behind one address may each send a batch a minute, of a few rows or none', async () => {
  const perBatch = REQUEST_COST + (await costOf(900, 20));
  expect((20_000 / 60) * perBatch).toBeLessThan(CLIENT_LIMITS.rate.network / WINDOW_SECONDS);
});

const [thousand] = generateBatches(1_000, 1, undefined, undefined, 1_000);
const json = JSON.stringify(thousand);

/** What a body costs from its first byte to the verdict of the decoder. */
async function costFrom(text: string): Promise<{ cost: number; bytes: number }> {
  const body = gzipSync(text);
  const { control, cost } = metered();
  const admitted = await control.admitBatch('key-1', '192.0.2.1');
  admitted.receive(body.length);
  const bytes = await createInflater().inflate(body, admitted);
  const commit = committed(async (sent) => {
    const read = decodeJson(sent.bytes as Buffer, thousand?.sentAt ?? 0);
    return read.ok ? stored(read.columns.n) : read;
  });
  await ingestBody(commit, new ReceivedBody(bytes, admitted), SENT);
  return { cost: cost(), bytes: body.length + bytes.length };
}

test('a thousand rows as a browser sends them cost what the rows do', async () => {
  expect((await costFrom(json)).cost).toBe(REQUEST_COST + 1_000 * STORED_ROW_COST);
});

test('rows that are padded cost their bytes, and a refused body these and more', async () => {
  const padded = await costFrom(json.replaceAll(',', `,${' '.repeat(20)}`));
  expect(padded.bytes).toBeGreaterThan(1_000 * STORED_ROW_COST);
  expect(padded.cost).toBe(REQUEST_COST + padded.bytes);
  const refused = await costFrom(json.repeat(9));
  expect(refused.cost).toBe(REQUEST_COST + refused.bytes + REFUSED_BODY_COST);
});
