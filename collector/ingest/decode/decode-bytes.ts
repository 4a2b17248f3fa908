import type { ClientInfo } from '../../../shared/sample/sample.ts';
import { BYTES_VERSION, HEADER, HEADER_BYTES, MAGIC } from '../../../shared/wire/byte-layout.ts';
import { ByteColumns, type BytesLimits, CUT_OFF, TOO_COSTLY } from './byte-columns.ts';
import type { ColumnBuffers } from './column-buffers.ts';
import { catchFault, type DecodedBatch, judge, readOrigin } from './decode-batch.ts';
import { hashOf, InternTable } from './intern-table.ts';
import { invalid, type JsonObject, unsupportedVersion } from './read-columns.ts';
import { readStatus } from './read-status.ts';

/** Slots, and bytes of the longest. */
const KNOWN_CLIENTS = [1 << 12, 400] as const;

const knownClients = new InternTable<ClientInfo>(...KNOWN_CLIENTS);

/**
 * Reads a batch in version 2 (docs/wire-format.md). Never throws, like `decodeBatch`.
 *
 * @param buffers that accepted columns are in, so valid only as long as these are
 * @returns null if it exceeds `limits`: then another thread has to read it
 */
export function decodeBytes(
  bytes: Buffer,
  now: number,
  buffers: ColumnBuffers,
  limits: BytesLimits,
): DecodedBatch | null {
  try {
    return catchFault(() => decode(bytes, now, buffers, limits));
  } catch (error) {
    if (error === TOO_COSTLY) return null;
    throw error;
  }
}

function decode(bytes: Buffer, now: number, buffers: ColumnBuffers, limits: BytesLimits): DecodedBatch {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC) {
    throw invalid('the body is not a batch in version 2', 'Send JSON as application/json; see docs/wire-format.md.');
  }
  if (bytes.readUInt16LE(HEADER.version) !== BYTES_VERSION) throw unsupportedVersion();
  const clientEnd = HEADER_BYTES + bytes.readUInt16LE(HEADER.client);
  const statusEnd = clientEnd + bytes.readUInt32LE(HEADER.status);
  if (statusEnd > bytes.length) throw invalid('the client or the status is cut off', CUT_OFF);
  const digits = bytes.toString('hex', HEADER.batch, HEADER.sentAt);
  const batchId = digits.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const origin = readClient(bytes, HEADER_BYTES, clientEnd);
  const read = new ByteColumns(bytes, bytes.readUInt16LE(HEADER.n), buffers, limits);
  read.all(statusEnd, bytes.readUInt16LE(HEADER.columns), bytes.readUIntLE(HEADER.firstAt, 6));
  if (statusEnd - clientEnd > limits.statusBytes) throw TOO_COSTLY;
  const status = statusEnd === clientEnd ? null : readStatus(parseJson(bytes.toString('utf8', clientEnd, statusEnd)));
  return judge({ batchId, origin, sentAt: bytes.readUIntLE(HEADER.sentAt, 6), status, columns: read.result() }, now);
}

function readClient(bytes: Buffer, from: number, to: number): ClientInfo {
  const hash = hashOf(bytes, from, to);
  const number = knownClients.find(bytes, from, to, hash);
  if (number >= 0) return knownClients.value(number);
  const parsed = parseJson(bytes.toString('utf8', from, to));
  if (typeof parsed !== 'object' || parsed === null) {
    throw invalid('the client is not a JSON object', 'See docs/wire-format.md for its members.');
  }
  const origin = readOrigin(parsed as JsonObject);
  knownClients.add(bytes, from, to, hash, origin);
  return origin;
}

/** undefined if it isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
