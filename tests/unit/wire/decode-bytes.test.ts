import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_LIMITS, WRITER_LIMITS } from '../../../collector/ingest/decode/byte-columns.ts';
import { createReusedBuffers, NEW_BUFFERS } from '../../../collector/ingest/decode/column-buffers.ts';
import { type DecodedBatch, decodeBatch } from '../../../collector/ingest/decode/decode-batch.ts';
import { decodeBytes } from '../../../collector/ingest/decode/decode-bytes.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { NUMBER_NAMES, TEXT_NAMES } from '../../../shared/sample/sample-columns.ts';
import { MAX_DICTIONARY_ENTRIES, MAX_METRICS, MAX_ROWS, MAX_SIZE } from '../../../shared/vocabulary/wire-limits.ts';
import {
  AT_COLUMN,
  COLUMN_HEAD_BYTES,
  HEADER,
  HEADER_BYTES,
  METRIC_COLUMN,
  NUMBER_COLUMNS,
  TEXT_COLUMNS,
} from '../../../shared/wire/byte-layout.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { encodeBytes } from '../../../shared/wire/encode-bytes.ts';
import type { WireBatch } from '../../../shared/wire/wire-batch.ts';
import { rounds } from '../../rounds.ts';
import { arbitrarySample, BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { BAD_ROWS, FULL, IGNORED_CASES, spoiltBatch } from './bad-row-cases.ts';
import { batchOfBytes } from './batch-of-bytes.ts';
import { batchSamples } from './batch-samples.ts';
import { STATUS } from './status-fixture.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const encode = (batch: unknown) => Buffer.from(encodeBytes(batch as WireBatch, utf8));
const decode = (bytes: Buffer) => decodeBytes(bytes, NOW, NEW_BUFFERS, NO_LIMITS) as DecodedBatch;
const batchOf = (samples: readonly Sample[]) => encodeBatch(ORIGIN, BATCH_ID, NOW, samples, STATUS);
const rows = (decoded: DecodedBatch): unknown =>
  decoded.ok ? { ...decoded, columns: batchSamples(decoded.columns) } : decoded;

const PLAIN = encode(batchOf([FULL, { ...FULL, metrics: { cpu: 1.5 } }, PLAIN_SAMPLE]));

interface ColumnAt {
  readonly number: number;
  /** Of its head, and past its end. */
  readonly start: number;
  readonly end: number;
}

function columnsOf(bytes: Buffer): ColumnAt[] {
  const columns: ColumnAt[] = [];
  let start = HEADER_BYTES + bytes.readUInt16LE(HEADER.client) + bytes.readUInt32LE(HEADER.status);
  while (start < bytes.length) {
    const end = start + COLUMN_HEAD_BYTES + bytes.readUInt32LE(start + 4);
    columns.push({ number: bytes[start] as number, start, end });
    start = end;
  }
  return columns;
}

const column = (bytes: Buffer, wanted: number) => columnsOf(bytes).find(({ number }) => number === wanted) as ColumnAt;

function changed(by: (bytes: Buffer) => void, bytes = PLAIN): Buffer {
  const copy = Buffer.from(bytes);
  by(copy);
  return copy;
}

/** With another piece before its first column. */
function withColumn(piece: Buffer, bytes: Buffer = PLAIN): Buffer {
  const start = columnsOf(bytes)[0]?.start ?? 0;
  const joined = Buffer.concat([bytes.subarray(0, start), piece, bytes.subarray(start)]);
  joined.writeUInt16LE(joined.readUInt16LE(HEADER.columns) + 1, HEADER.columns);
  return joined;
}

function head(number: number, width: number, strings: number, length: number): Buffer {
  const bytes = Buffer.from([number, width, 0, 0, 0, 0, 0, 0]);
  bytes.writeUInt16LE(strings, 2);
  bytes.writeUInt32LE(length, 4);
  return bytes;
}

test('a batch means the same in both versions', () => {
  fc.assert(
    fc.property(fc.array(arbitrarySample, { maxLength: 8 }), fc.boolean(), (samples, hasStatus) => {
      const batch = encodeBatch(ORIGIN, BATCH_ID, NOW - 5000, samples, hasStatus ? STATUS : null);
      expect(rows(decode(encode(batch)))).toEqual(rows(decodeBatch(JSON.parse(JSON.stringify(batch)), NOW)));
    }),
    { numRuns: rounds(200, 3000), seed: 17 },
  );
});

test('a batch is written as docs/wire-format.md says: a reader made from that alone finds what JSON has', () => {
  fc.assert(
    fc.property(fc.array(arbitrarySample, { maxLength: 8 }), (samples) => {
      const batch = JSON.parse(JSON.stringify(batchOf(samples)));
      expect(batchOfBytes(encode(batch))).toEqual(batch);
    }),
    { numRuns: rounds(100, 3000), seed: 18 },
  );
});

test('strings that are not ASCII, and longer than any may be', () => {
  const templates = ['/ä', '/\u{1f600}', '/x', `/${'x'.repeat(70_000)}`, '/y'];
  const read = decode(encode(batchOf(templates.map((template) => ({ ...PLAIN_SAMPLE, template })))));
  expect(read).toMatchObject({ rejected: [{ row: 3, code: 'bad_template' }] });
  expect(read.ok && batchSamples(read.columns).map(({ template }) => template)).toEqual([
    ...templates.slice(0, 3),
    '/y',
  ]);
});

test('numbers of every width are read as they were written', () => {
  const sizes = [
    0,
    1,
    254,
    255,
    65_534,
    65_535,
    2 ** 24 - 1,
    2 ** 24,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    2 ** 40,
    MAX_SIZE,
  ];
  for (const largest of sizes) {
    const sent = [null, ...sizes.filter((size) => size <= largest)];
    const read = decode(encode(batchOf(sent.map((transferSize) => ({ ...PLAIN_SAMPLE, transferSize })))));
    expect(read.ok && batchSamples(read.columns).map(({ transferSize }) => transferSize)).toEqual(sent);
  }
});

test('a column whose values are all 0, or the first string, takes no bytes per row', () => {
  const samples = [1, 2, 3].map((wait) => ({
    ...PLAIN_SAMPLE,
    host: 'a.example',
    idleMs: 0,
    times: { ...FULL.times, wait },
  }));
  const bytes = encode(batchOf(samples));
  for (const number of [TEXT_COLUMNS.host, NUMBER_COLUMNS.idleMs]) {
    expect(bytes.readUInt8(column(bytes, number).start + 1)).toBe(0);
  }
  // What the memory had before.
  const used = { numbers: (n: number) => new Float64Array(n).fill(7), codes: (n: number) => new Int32Array(n).fill(7) };
  const read = decodeBytes(bytes, NOW, used, NO_LIMITS) as DecodedBatch;
  expect(read.ok && batchSamples(read.columns).map(({ host, idleMs }) => [host, idleMs])).toEqual(
    samples.map(({ host, idleMs }) => [host, idleMs]),
  );
  const noString = head(TEXT_COLUMNS.tlsIssuer, 0, 0, 0);
  expect(decode(withColumn(noString, bytes))).toMatchObject({ rejected: [{ row: 0 }, { row: 1 }, { row: 2 }] });
});

test('times may go back, by days', () => {
  const times = [NOW, NOW - 5 * 86_400_000, NOW - 1, NOW - 2, NOW - 86_400_000];
  const read = decode(encode(batchOf(times.map((at) => ({ ...PLAIN_SAMPLE, at })))));
  expect(read.ok && [...read.columns.at]).toEqual(times);
});

/** What only JSON can express: there the encoder writes something else, or a value that no rule accepts. */
const JSON_ONLY: ReadonlySet<string> = new Set([
  'a number',
  'an object',
  'an issuer that is an object',
  'unknown time',
  'an own __proto__',
  'a list',
  'unknown word, and a reason that is none',
  'text',
  'an array',
  'not a number',
  'endless',
]);

describe('a bad row is rejected as in version 1, and the rows beside it are stored', () => {
  const cases = BAD_ROWS.filter(([, what]) => !JSON_ONLY.has(what));
  test.each(cases)('%s: %s', (code, _what, spoil) => {
    const decoded = decode(encode(spoiltBatch(spoil)));
    expect(decoded).toMatchObject({
      ok: true,
      rejected: [{ row: 1, code: code === 'negative_time' ? 'bad_time' : code }],
    });
    expect(decoded.ok && batchSamples(decoded.columns)).toEqual([FULL, FULL]);
  });

  test.each(IGNORED_CASES.filter(([, what]) => !JSON_ONLY.has(what)))(
    '%s: %s costs the value',
    (code, _what, spoil) => {
      expect(decode(encode(spoiltBatch(spoil)))).toMatchObject({ ok: true, rejected: [], ignored: { [code]: 1 } });
    },
  );

  test('a metric out of range', () => {
    const metrics = [4, 1e16, Infinity, null].map((cpu) => ({ ...PLAIN_SAMPLE, metrics: cpu === null ? {} : { cpu } }));
    expect(decode(encode(batchOf(metrics)))).toMatchObject({ rejected: [], ignored: { bad_metric: 2 } });
  });

  test.each([
    'tls=because',
    'tls',
    'lunch=opaque',
    '__proto__=x',
    'tls=plain_http  dns=cache',
    'tls=plain_http tls=cache',
  ])('reasons written as %j', (text) => {
    const piece = Buffer.concat([
      head(TEXT_COLUMNS.unknown, 1, 1, 2 + text.length + 3),
      Buffer.from([text.length, 0]),
      Buffer.from(text),
      Buffer.from([0, 1, 0]),
    ]);
    const plain = encode(batchOf([PLAIN_SAMPLE, PLAIN_SAMPLE, PLAIN_SAMPLE]));
    expect(decode(withColumn(piece, plain))).toMatchObject({ ok: true, rejected: [{ row: 1, code: 'bad_unknown' }] });
  });

  test('past a time that could not be written no later time is known', () => {
    expect(decode(encode(spoiltBatch([['columns.at.1', 1.5]])))).toMatchObject({
      rejected: [
        { row: 1, code: 'bad_at' },
        { row: 2, code: 'bad_at' },
      ],
    });
  });
});

describe('a batch with a fault in its structure is refused as a whole', () => {
  test('cut off anywhere', () => {
    for (let end = 0; end < PLAIN.length; end++) {
      expect(decode(PLAIN.subarray(0, end)), `after ${end} bytes`).toMatchObject({ ok: false, code: 'invalid_batch' });
    }
  });

  test('cut off in its client', () => {
    expect(decode(PLAIN.subarray(0, 60))).toMatchObject({ message: 'the client or the status is cut off' });
  });

  test('with more bytes than it has', () => {
    expect(decode(Buffer.concat([PLAIN, Buffer.from([0])]))).toMatchObject({ ok: false, code: 'invalid_batch' });
  });

  test('with any length that lies', () => {
    const lengths = columnsOf(PLAIN).flatMap(({ start }) => [start + 1, start + 2, start + 4]);
    for (const at of [HEADER.n, HEADER.columns, HEADER.client, HEADER.status, ...lengths]) {
      for (const by of [1, -1, 255, 256]) {
        const spoilt = changed((bytes) => bytes.writeUInt16LE((bytes.readUInt16LE(at) + by) & 0xffff, at));
        expect(decode(spoilt), `${by} at ${at}`).toMatchObject({ ok: false });
      }
    }
  });

  test('with strings that reach into the values, or past the end', () => {
    const { start } = column(PLAIN, TEXT_COLUMNS.host);
    for (const length of [0, 1, 16, 0xffff]) {
      const spoilt = changed((bytes) => bytes.writeUInt16LE(length, start + COLUMN_HEAD_BYTES));
      expect(decode(spoilt)).toMatchObject({ ok: false, code: 'invalid_batch' });
    }
  });

  const copyOf = (number: number) => {
    const { start, end } = column(PLAIN, number);
    return PLAIN.subarray(start, end);
  };
  test.each([
    ['at', AT_COLUMN],
    ['host', TEXT_COLUMNS.host],
    ['wait', NUMBER_COLUMNS.wait],
    ['a metric', METRIC_COLUMN],
  ])('with %s twice', (_what, number) => {
    expect(decode(withColumn(copyOf(number)))).toMatchObject({
      ok: false,
      code: 'invalid_batch',
      message: `column ${number} occurs twice`,
    });
  });

  test('with times of no bytes', () => {
    const { start, end } = column(PLAIN, AT_COLUMN);
    const times = head(AT_COLUMN, 0, 0, 0);
    expect(decode(Buffer.concat([PLAIN.subarray(0, start), times, PLAIN.subarray(end)]))).toMatchObject({
      ok: false,
      code: 'invalid_batch',
      message: 'column 1 has a width of 0',
    });
  });

  test('without times', () => {
    const { start } = column(PLAIN, AT_COLUMN);
    expect(decode(changed((bytes) => bytes.writeUInt8(7, start)))).toMatchObject({
      message: 'the column at is missing',
    });
  });

  const dictionary = (count: number) =>
    withColumn(
      Buffer.concat([head(TEXT_COLUMNS.tlsIssuer, 1, count, 2 * count + 3), Buffer.alloc(2 * count + 3)]),
      encode(batchOf([PLAIN_SAMPLE, PLAIN_SAMPLE, PLAIN_SAMPLE])),
    );
  const metric = (name: string) =>
    Buffer.concat([
      head(METRIC_COLUMN, 8, 1, 2 + name.length + 24),
      Buffer.from([name.length, 0]),
      Buffer.from(name),
      Buffer.alloc(24),
    ]);
  test.each<[code: string, what: string, bytes: () => Buffer]>([
    ['invalid_batch', 'no bytes', () => Buffer.alloc(0)],
    ['invalid_batch', 'JSON', () => Buffer.from(JSON.stringify(batchOf([PLAIN_SAMPLE])))],
    ['unsupported_version', 'a later version', () => changed((bytes) => bytes.writeUInt16LE(3, HEADER.version))],
    ['invalid_batch', 'a client that is no JSON', () => changed((bytes) => bytes.writeUInt8(0x21, HEADER_BYTES))],
    ['invalid_batch', 'a client without a name', () => changed((bytes) => bytes.write('x', HEADER_BYTES + 2))],
    ['batch_too_large', 'too many rows', () => changed((bytes) => bytes.writeUInt16LE(MAX_ROWS + 1, HEADER.n))],
    ['batch_too_large', 'too many strings', () => dictionary(MAX_DICTIONARY_ENTRIES + 1)],
    [
      'batch_too_large',
      'too many metrics',
      () =>
        Array.from({ length: MAX_METRICS }, (_, i) => metric(`m${i}`)).reduce<Buffer<ArrayBufferLike>>(
          (all, one) => withColumn(one, all),
          PLAIN,
        ),
    ],
    ['invalid_batch', 'a metric called __proto__', () => withColumn(metric('__proto__'))],
    ['invalid_batch', 'a metric with a space', () => withColumn(metric('c p'))],
    ['invalid_batch', 'numbers with strings', () => withColumn(Buffer.concat([head(68, 1, 1, 5), Buffer.alloc(5)]))],
    ['invalid_batch', 'an index of three bytes', () => withColumn(Buffer.concat([head(34, 3, 0, 9), Buffer.alloc(9)]))],
    [
      'invalid_batch',
      'numbers of eight bytes',
      () => withColumn(Buffer.concat([head(85, 8, 0, 24), Buffer.alloc(24)])),
    ],
  ])('%s: %s', (code, _what, bytes) => {
    expect(decode(bytes())).toEqual({
      ok: false,
      code,
      message: expect.stringMatching(/\S/),
      hint: expect.stringMatching(/\S/),
    });
  });

  test('nothing past the end of a body is read', () => {
    const inside = Buffer.alloc(PLAIN.length + 2000, 1);
    PLAIN.copy(inside, 1000);
    for (const end of [PLAIN.length, PLAIN.length - 1, PLAIN.length - 30, 60, 44, 20]) {
      expect(rows(decode(inside.subarray(1000, 1000 + end)))).toEqual(rows(decode(PLAIN.subarray(0, end))));
    }
  });
});

test('columns of a later version are skipped', () => {
  const piece = Buffer.concat([head(200, 99, 12_345, 7), Buffer.alloc(7, 255)]);
  expect(rows(decode(withColumn(piece)))).toEqual(rows(decode(PLAIN)));
});

test('a status that cannot be read costs no row', () => {
  const start = HEADER_BYTES + PLAIN.readUInt16LE(HEADER.client);
  expect(decode(changed((bytes) => bytes.writeUInt8(0x21, start)))).toMatchObject({
    ok: true,
    status: null,
    columns: { n: 3 },
  });
});

test('a batch without rows is a batch', () => {
  expect(decode(encode(batchOf([])))).toMatchObject({ ok: true, columns: { n: 0 }, rejected: [], status: STATUS });
});

test('more new strings than a browser has, or a status larger than any, are left to another thread', () => {
  const named = (count: number, prefix: string) =>
    encode(batchOf(Array.from({ length: count }, (_, i) => ({ ...PLAIN_SAMPLE, template: `/${prefix}-${i}` }))));
  const inWriter = (bytes: Buffer) => decodeBytes(bytes, NOW, NEW_BUFFERS, WRITER_LIMITS);
  expect(inWriter(named(900, 'some'))).toMatchObject({ ok: true });
  expect(inWriter(named(1100, 'many'))).toBeNull();
  expect(decode(named(1100, 'more'))).toMatchObject({ ok: true, columns: { n: 1100 } });
  // Known ones cost next to nothing.
  expect(inWriter(named(1100, 'more'))).toMatchObject({ ok: true });
  const status = { ...STATUS, dropped: { [`x${'x'.repeat(2 ** 17)}`]: 1 } };
  expect(inWriter(encode(encodeBatch(ORIGIN, BATCH_ID, NOW, [], status)))).toBeNull();
});

test('what was read stays as it is while later batches are read', () => {
  const buffers = createReusedBuffers(10);
  const first = decodeBytes(PLAIN, NOW, NEW_BUFFERS, NO_LIMITS) as DecodedBatch;
  const before = JSON.stringify(rows(first));
  for (let i = 0; i < 3000; i++) {
    buffers.reset();
    const other = encode(batchOf([{ ...PLAIN_SAMPLE, host: `h${i}.test`, status: 404 }]));
    decodeBytes(other, NOW, buffers, NO_LIMITS);
  }
  expect(JSON.stringify(rows(first))).toBe(before);
});

test('batches that share buffers keep apart until these are reset, also where they are too small for them', () => {
  // Enough for some of these batches.
  const buffers = createReusedBuffers(200);
  fc.assert(
    fc.property(fc.array(fc.array(arbitrarySample, { minLength: 1, maxLength: 5 }), { maxLength: 6 }), (group) => {
      buffers.reset();
      const bodies = group.map((samples) => encode(batchOf(samples)));
      const together = bodies.map((body) => decodeBytes(body, NOW, buffers, NO_LIMITS) as DecodedBatch);
      expect(together.map(rows)).toEqual(bodies.map((body) => rows(decode(body))));
    }),
    { numRuns: 100, seed: 12 },
  );
});

test('every column has a number of its own, which never changes', () => {
  const numbers = [AT_COLUMN, METRIC_COLUMN, ...Object.values(TEXT_COLUMNS), ...Object.values(NUMBER_COLUMNS)];
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(Object.keys(TEXT_COLUMNS)).toEqual([...TEXT_NAMES]);
  expect(Object.keys(NUMBER_COLUMNS)).toEqual([...NUMBER_NAMES]);
});
