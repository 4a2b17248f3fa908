import { expect, test } from 'vitest';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import { markAbandoned } from '../../../collector/ingest/decode/mark-abandoned.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { NULL, TEXT_INDEX } from '../../../shared/sample/sample-columns.ts';
import { makeSample } from '../summary/make-sample.ts';

function exclusionsOf(given: readonly Partial<Sample>[]): (string | null | undefined)[] {
  const samples = given.map((more) => makeSample({ connection: 'failed', excluded: 'failed', ...more }));
  const { texts, n } = markAbandoned(toBatchColumns(samples));
  const excluded = texts[TEXT_INDEX.excluded];
  return Array.from({ length: n }, (_, row) => {
    const code = excluded?.codes[row] ?? NULL;
    return code === NULL ? null : excluded?.strings[code];
  });
}

test('what the page gave up is abandoned, as each browser tells it', () => {
  expect(
    exclusionsOf([
      { error: 'net::ERR_ABORTED', connectionEvidence: 'web_request_error' },
      { error: 'NS_BINDING_ABORTED', connectionEvidence: 'web_request_error' },
      { error: null, connectionEvidence: 'no_answer' },
    ]),
  ).toEqual(['abandoned', 'abandoned', 'abandoned']);
});

test('what failed by itself stays failed, and probes give nothing up', () => {
  expect(
    exclusionsOf([
      { error: 'net::ERR_CONNECTION_RESET', connectionEvidence: 'web_request_error' },
      { error: 'NS_ERROR_NET_RESET', connectionEvidence: 'no_answer' },
      { error: null, connectionEvidence: 'only_start_and_end' },
      { error: 'net::ERR_ABORTED', source: 'probe-script' },
      { error: 'net::ERR_ABORTED', connection: 'reused', excluded: 'status', status: 500 },
      { error: 'net::ERR_ABORTED', connection: 'reused', excluded: null },
    ]),
  ).toEqual(['failed', 'failed', 'failed', 'failed', 'status', null]);
});

test('columns without any stay the same object', () => {
  const columns = toBatchColumns([makeSample(), makeSample({ connection: 'failed', excluded: 'failed' })]);
  expect(markAbandoned(columns)).toBe(columns);
});
