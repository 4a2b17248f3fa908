import type { ClientInfo } from '../../../shared/sample/sample.ts';
import {
  isSiteLabel,
  knownClockStep,
  MAX_CLOCK_STEP,
  MAX_SITE_LENGTH,
} from '../../../shared/vocabulary/client-fields.ts';
import { CLOCK_TOLERANCE_MS, MAX_AGE_MS, MAX_AHEAD_MS } from '../../../shared/vocabulary/wire-limits.ts';
import type { BrowserStatus } from '../../../shared/wire/browser-status.ts';
import { type RejectedRow, WIRE_VERSION } from '../../../shared/wire/wire-batch.ts';
import type { BatchCode } from '../../../shared/wire/wire-codes.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import type { BatchRoom } from './batch-room.ts';
import { checkColumns } from './check-columns.ts';
import type { RawColumns } from './raw-columns.ts';
import { BATCH_LIMITS, BatchFault, invalid, own, readColumns } from './read-columns.ts';
import { readStatus } from './read-status.ts';
import { scanBatch } from './scan-batch.ts';
import type { ReadText } from './scan-columns.ts';

export type DecodedBatch =
  | { readonly ok: false; readonly code: BatchCode; readonly message: string; readonly hint: string }
  | {
      readonly ok: true;
      /** Lower case. */
      readonly batchId: string;
      readonly origin: ClientInfo;
      /** Added to every `at`, ms: 0 where the browser's clock agrees with the collector's. */
      readonly clockCorrection: number;
      /** null where the browser did not say, or nothing that can be read. */
      readonly status: BrowserStatus | null;
      /** Accepted rows, `at` by the collector's clock. */
      readonly columns: BatchColumns;
      readonly rejected: readonly RejectedRow[];
    };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CLIENT = /^[A-Za-z0-9_-]{8,64}$/;
const VERSION = /^[\w.+-]{1,64}$/;

/**
 * Reads a batch from its bytes where they are as `JSON.stringify(encodeBatch(…))` writes them, at a third of what parsing
 * costs; null where they aren't. Then parse them, and ask `decodeBatch`, which gives the same answer for the same batch.
 *
 * @param readText part of the bytes as UTF-8 text
 * @param room where accepted columns lie, so no longer good than it is
 */
export function decodeBatchBytes(
  bytes: Uint8Array,
  now: number,
  readText: ReadText,
  room: BatchRoom,
): DecodedBatch | null {
  const scanned = scanBatch(bytes, readText, room);
  return scanned === null ? null : answering(() => decode(scanned.outline, now, () => scanned.columns));
}

/**
 * Reads whatever came over the wire. `now` is the collector's clock, epoch ms. Never throws on any input: what can't
 * be read as a whole is `ok: false`, what can't be read in a row is rejected by index and code.
 */
export function decodeBatch(input: unknown, now: number): DecodedBatch {
  return answering(() => decode(input, now, (batch) => readColumns(batch, BATCH_LIMITS)));
}

function answering(decoding: () => DecodedBatch): DecodedBatch {
  try {
    return decoding();
  } catch (fault) {
    if (fault instanceof BatchFault) {
      return { ok: false, code: fault.code, message: fault.message, hint: fault.hint };
    }
    throw fault;
  }
}

function decode(
  input: unknown,
  now: number,
  columnsOf: (batch: Readonly<Record<string, unknown>>) => RawColumns,
): DecodedBatch {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid('the batch is not a JSON object', 'See docs/wire-format.md for a whole batch.');
  }
  const batch = input as Readonly<Record<string, unknown>>;
  if (own(batch, 'version') !== WIRE_VERSION) {
    throw new BatchFault(
      'unsupported_version',
      'this collector does not know the version of the batch',
      `Send version ${WIRE_VERSION}, or bring the collector up to the version of the extension.`,
    );
  }
  const batchId = text(batch, 'batch', UUID, 'a UUID').toLowerCase();
  const origin = readOrigin(batch);
  const clockCorrection = correction(own(batch, 'sentAt'), now);
  const { columns, rejected } = checkColumns(columnsOf(batch), {
    correction: clockCorrection,
    oldest: now - MAX_AGE_MS,
    newest: now + MAX_AHEAD_MS,
    imports: false,
  });
  const status = readStatus(own(batch, 'status'));
  return { ok: true, batchId, origin, clockCorrection, status, columns, rejected };
}

/** Small differences are the time the batch was under way, not a wrong clock. */
function correction(sentAt: unknown, now: number): number {
  if (typeof sentAt !== 'number' || !Number.isSafeInteger(sentAt) || sentAt < 0) {
    throw invalid('sentAt is not a time', "Set sentAt to the browser's clock at sending, epoch milliseconds.");
  }
  const difference = now - sentAt;
  return Math.abs(difference) <= CLOCK_TOLERANCE_MS ? 0 : difference;
}

function readOrigin(batch: Readonly<Record<string, unknown>>): ClientInfo {
  const browser = own(batch, 'browser');
  if (browser !== 'chromium' && browser !== 'firefox') {
    throw invalid('browser is neither chromium nor firefox', 'Name the engine, not the brand.');
  }
  const clockStep = own(batch, 'clockStep');
  if (typeof clockStep !== 'number' || !Number.isInteger(clockStep) || clockStep < 1 || clockStep > MAX_CLOCK_STEP) {
    throw invalid('clockStep is not a step of a timer', 'Microseconds: 100 in Chromium, 1000 in Firefox.');
  }
  return {
    client: text(batch, 'client', CLIENT, '8 to 64 letters, digits, - or _'),
    site: readSite(own(batch, 'site')),
    browser,
    browserVersion: text(batch, 'browserVersion', VERSION, 'a version such as 128.0'),
    extensionVersion: text(batch, 'extensionVersion', VERSION, 'a version such as 0.1.0'),
    clockStep: knownClockStep(clockStep),
  };
}

function readSite(site: unknown): string {
  if (typeof site !== 'string' || !isSiteLabel(site)) {
    throw invalid(
      'site is not a label',
      `At most ${MAX_SITE_LENGTH} characters of Unicode text; empty where there is none.`,
    );
  }
  return site;
}

function text(batch: Readonly<Record<string, unknown>>, name: string, pattern: RegExp, shape: string): string {
  const value = own(batch, name);
  if (typeof value !== 'string' || !pattern.test(value))
    throw invalid(`${name} is not valid`, `It has to be ${shape}.`);
  return value;
}
