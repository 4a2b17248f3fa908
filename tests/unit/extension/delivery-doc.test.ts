import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DROPPED_BATCH_CODES } from '../../../shared/wire/wire-codes.ts';

const DOC = await readFile('docs/delivery.md', 'utf8');

/** Each limit as the source has it, beside the words of the page. */
test.each([
  ['extension/background/delivery.ts', 'MAX_BATCH_ROWS = 1_000;', 'Up to 1,000 samples'],
  ['extension/background/delivery.ts', 'MAX_WAITING_ROWS = 50_000;', 'At most 50,000 samples'],
  ['extension/background/delivery.ts', 'MAX_WAITING_BYTES = 32 * 1024 * 1024;', '32 MB'],
  ['shared/vocabulary/wire-limits.ts', 'MAX_AGE_MS = 7 * 24 * 3600 * 1000;', '7 days'],
  ['extension/background/post-batch.ts', 'TIMEOUT_MS = 20_000;', 'nothing for 20 s'],
  ['extension/background/delivery.ts', 'FIRST_MS = 2_000;', 'doubles from 2 seconds'],
  ['extension/background/delivery.ts', 'LONGEST_MS = 15 * 60_000;', 'up to 15 minutes'],
  ['extension/background/scheduler.ts', 'ALARM_MINUTES = { deliver: 1, settings: 5', 'every minute by\n   alarm'],
  ['extension/content/content.ts', 'MAX_DOCUMENT_ENTRIES = 20_000;', '20,000 entries'],
  ['extension/background/bounded-names.ts', 'MAX_BYTES = 512 * 1024;', 'Up to 512 KB'],
  ['extension/background/sent-log.ts', 'MAX_ROWS = 200;', 'the last 200 requests'],
  ['extension/background/status.ts', 'MANY_FAILURES = 8;', 'eight consecutive failures to send'],
  ['extension/content/content.ts', 'MAX_GROUP_ENTRIES = 500;', 'at most 500 per\n   message'],
])('%s: %s', async (file, constant, words) => {
  expect(await readFile(file, 'utf8')).toContain(constant);
  expect(DOC).toContain(words);
});

test('names every code of a batch that is dropped', () => {
  for (const code of DROPPED_BATCH_CODES) expect(DOC).toContain(`\`${code}\``);
});
