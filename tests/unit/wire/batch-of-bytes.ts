import { NUMBER_NAMES, parseReasons, TEXT_NAMES } from '../../../shared/sample/sample-columns.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { METRIC_COLUMN, NUMBER_COLUMNS, TEXT_COLUMNS } from '../../../shared/wire/byte-layout.ts';
import type { WireBatch } from '../../../shared/wire/wire-batch.ts';

/** A valid batch in version 2 as version 1 has it, read as docs/wire-format.md says and not by the collector's reader. */
export function batchOfBytes(bytes: Buffer): WireBatch {
  const n = bytes.readUInt16LE(6);
  const uuid = bytes.toString('hex', 8, 24);
  const clientEnd = 44 + bytes.readUInt16LE(38);
  const statusEnd = clientEnd + bytes.readUInt32LE(40);
  const dictionaries: Record<string, unknown> = {};
  const columns: Record<string, unknown> = {};
  const times: Record<string, unknown> = {};
  const metrics: Record<string, unknown> = {};
  let at = statusEnd;
  for (let left = bytes.readUInt16LE(36); left > 0; left--) {
    const [number, width] = [bytes.readUInt8(at), bytes.readUInt8(at + 1)];
    const lengths = at + 8;
    let next = lengths + 2 * bytes.readUInt16LE(at + 2);
    const strings: string[] = [];
    for (let length = lengths; length < lengths + 2 * bytes.readUInt16LE(at + 2); length += 2) {
      strings.push(bytes.toString('utf8', next, next + bytes.readUInt16LE(length)));
      next += bytes.readUInt16LE(length);
    }
    const start = next;
    const stored = Array.from({ length: n }, (_, row) => {
      let value = 0;
      for (let plane = width - 1; plane >= 0; plane--) value = value * 256 + bytes.readUInt8(start + plane * n + row);
      return value;
    });
    const values = stored.map((value) => (width === 0 ? 0 : value === 0 ? null : value - 1));
    const text = TEXT_NAMES.find((name) => TEXT_COLUMNS[name] === number);
    const named = NUMBER_NAMES.find((name) => NUMBER_COLUMNS[name] === number);
    if (number === 1) {
      const deltas = stored.map((value) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2));
      columns.at = deltas.map((delta, row) => (row === 0 ? delta + bytes.readUIntLE(30, 6) : delta));
    } else if (number === METRIC_COLUMN) {
      const doubles = stored.map((_, row) => bytes.readDoubleLE(start + 8 * row));
      metrics[strings[0] ?? ''] = doubles.map((value) => (Number.isNaN(value) ? null : value));
    } else if (text !== undefined) {
      dictionaries[text] = text === 'unknown' ? strings.map(parseReasons) : strings;
      columns[text] = values;
    } else if (named !== undefined) {
      ((TIME_NAMES as readonly string[]).includes(named) ? times : columns)[named] = values;
    }
    at = lengths + bytes.readUInt32LE(at + 4);
  }
  return {
    version: 1,
    batch: [uuid.slice(0, 8), uuid.slice(8, 12), uuid.slice(12, 16), uuid.slice(16, 20), uuid.slice(20)].join('-'),
    ...JSON.parse(bytes.toString('utf8', 44, clientEnd)),
    sentAt: bytes.readUIntLE(24, 6),
    n,
    ...(statusEnd > clientEnd ? { status: JSON.parse(bytes.toString('utf8', clientEnd, statusEnd)) } : {}),
    dictionaries,
    columns: {
      ...columns,
      at: columns.at ?? [],
      times,
      ...(Object.keys(metrics).length > 0 ? { metrics } : {}),
    },
  };
}
