import fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { EXPORT_COLUMNS, forViewers } from '../../../collector/exchange/export/export-columns.ts';
import { harEntry } from '../../../collector/exchange/export/har-format.ts';
import { harSamples } from '../../../collector/exchange/import/har-samples.ts';
import { ownFields } from '../../../collector/exchange/import/restore-sample.ts';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { CONNECTIONS, UNKNOWN_REASONS, type UnknownReason } from '../../../shared/vocabulary/vocabulary.ts';
import { HarSchema } from '../../collector/har-12-schema.ts';
import { arbitrarySample, ORIGIN, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';

const ALL = new Set(EXPORT_COLUMNS.map(({ name }) => name));
const TARGETS = ['erp', 'crm-2'].map((id) => ({ id, name: id, match: [`https://${id}.example.com/*`] }));

/** Written, held to HAR 1.2, and read again as the import reads Lastbyte's own files. */
function roundTrip(sample: Sample, columns: ReadonlySet<string> = ALL): Sample | string {
  const entry = JSON.parse(JSON.stringify(harEntry({ ...sample, origin: ORIGIN }, columns)));
  const log = { version: '1.2', creator: { name: 'Lastbyte', version: '1' }, pages: [], entries: [entry] };
  expect(Value.Errors(HarSchema, { log })).toEqual([]);
  const { ssl, comment: _worker, ...summands } = entry.timings;
  const sum = Object.values<number>(summands).reduce((total, part) => total + Math.max(part, 0), 0);
  expect(entry.time).toBeCloseTo(sum, 6);
  if (sample.times.ttlb !== null) expect(entry.time).toBe(sample.times.ttlb / 1000);
  expect(ssl).toBeLessThanOrEqual(entry.timings.connect);
  const recording = { creator: 'Lastbyte', statesConnections: true };
  const read = harSamples({ targets: TARGETS, target: null, source: 'har', recording }).entry(entry, ownFields(entry));
  if (typeof read !== 'string') expect(toBatchColumns([read]).n).toBe(1);
  return read;
}

/** A sample as an export gives it back. */
function asExported(sample: Sample): Sample {
  return { ...sample, source: 'har', responseMark: sample.responseMark ?? 'response_start' };
}

/** A sample whose phases are unknown for that reason. */
function unknownFor(reason: UnknownReason, ...names: (keyof Sample['times'])[]): Partial<Sample> {
  const each = <T>(value: T) => Object.fromEntries(names.map((name) => [name, value]));
  return { times: { ...PLAIN_SAMPLE.times, ...each(null) }, unknown: each(reason) };
}

describe('what is exported can be imported again', () => {
  const CASES = UNKNOWN_REASONS.flatMap((reason) => [
    unknownFor(reason, ...TIME_NAMES),
    unknownFor(reason, ...TIME_NAMES.filter((name) => name !== 'ttlb')),
    unknownFor(reason, 'wait', 'receive', 'ttfb'),
    unknownFor(reason, 'receive'),
    unknownFor(reason, 'blocked', 'ttfb'),
    unknownFor(reason, 'dns'),
    unknownFor(reason, 'tcp'),
    unknownFor(reason, 'tcp', 'tls'),
  ]);

  test.each(CONNECTIONS)('%s, each time unknown for each reason', (connection) => {
    for (const changes of CASES) {
      const excluded = connection === 'failed' ? 'failed' : null;
      const status = connection === 'failed' ? null : 200;
      const sample: Sample = { ...PLAIN_SAMPLE, ...changes, connection, excluded, status };
      expect(roundTrip(sample)).toEqual(asExported(sample));
    }
  });

  test('any sample', () => {
    fc.assert(
      fc.property(arbitrarySample, (sample) => {
        expect(roundTrip(sample)).toEqual(asExported(sample));
      }),
      { numRuns: 300 },
    );
  });

  test('a path kept open by design is the collector’s own finding', () => {
    const sample: Sample = { ...PLAIN_SAMPLE, type: 'long_lived' };
    expect(roundTrip(sample)).toEqual({ ...asExported(sample), type: 'fetch' });
  });

  test('what viewers do not see is not recorded', () => {
    const viewers = new Set(EXPORT_COLUMNS.filter(forViewers).map(({ name }) => name));
    const sample: Sample = { ...PLAIN_SAMPLE, ...unknownFor('firefox_tls13', 'wait', 'receive', 'ttfb') };
    expect(roundTrip(sample, viewers)).toEqual({
      ...asExported(sample),
      unknown: { wait: 'not_recorded', receive: 'not_recorded', ttfb: 'not_recorded' },
      connectionEvidence: '(other)',
      transferSize: null,
      encodedBodySize: null,
      decodedBodySize: null,
      metrics: {},
    });
  });
});

test.each([{}, null, [], { type: 1 }, { ...harEntry({ ...PLAIN_SAMPLE, origin: ORIGIN }, ALL)._lastbyte, times: {} }])(
  '%j is nothing that Lastbyte wrote, and is read like any other file',
  (_lastbyte) => {
    expect(ownFields({ _lastbyte })).toBeNull();
  },
);

test('half of a surrogate pair in an old template does not stop the export', () => {
  const entry = harEntry({ ...PLAIN_SAMPLE, origin: ORIGIN, template: '/orders/\ud800' }, new Set());
  expect(entry.request.url).toBe('https://erp.example.com/orders/%EF%BF%BD');
});
