import type { ClientInfo, Sample } from '../../../shared/sample/sample.ts';
import {
  isSiteLabel,
  knownClockStep,
  MAX_CLOCK_STEP,
  MAX_SITE_LENGTH,
} from '../../../shared/vocabulary/client-fields.ts';
import { MAX_AGE_MS, MAX_AHEAD_MS } from '../../../shared/vocabulary/wire-limits.ts';
import type { BrowserStatus } from '../../../shared/wire/browser-status.ts';
import { encodeColumns } from '../../../shared/wire/encode-columns.ts';
import { type RejectedRow, WIRE_VERSION } from '../../../shared/wire/wire-batch.ts';
import type { BatchCode } from '../../../shared/wire/wire-codes.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { provenCorrection } from '../browser-clock.ts';
import {
  BATCH_LIMITS,
  BatchFault,
  invalid,
  type JsonObject,
  own,
  readColumns,
  unsupportedVersion,
} from './read-columns.ts';
import { readStatus } from './read-status.ts';
import { type IgnoredCounts, validateColumns } from './validate-columns.ts';

export type DecodedBatch =
  | { readonly ok: false; readonly code: BatchCode; readonly message: string; readonly hint: string }
  | {
      readonly ok: true;
      /** Lower case. */
      readonly batchId: string;
      readonly origin: ClientInfo;
      /** The browser's clock when it was sent, epoch ms. */
      readonly sentAt: number;
      /** Added to every `at`, ms: as much as this batch proves by itself. */
      readonly clockCorrection: number;
      /** null if the browser sent none, or none that can be read. */
      readonly status: BrowserStatus | null;
      /** Accepted rows, `at` by the collector's clock. */
      readonly columns: BatchColumns;
      readonly rejected: readonly RejectedRow[];
      readonly ignored: IgnoredCounts;
    };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CLIENT = /^[A-Za-z0-9_-]{8,64}$/;
const VERSION = /^[\w.+-]{1,64}$/;

/**
 * Reads any parsed input. `now` is the collector's clock, epoch ms. Never throws: a batch that can't be read as a whole is
 * `ok: false`, and rows that can't be read are rejected by index and code.
 */
export function decodeBatch(input: unknown, now: number): DecodedBatch {
  return catchFault(() => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw invalid('the batch is not a JSON object', 'See docs/wire-format.md for a complete batch.');
    }
    const batch = input as JsonObject;
    if (own(batch, 'version') !== WIRE_VERSION) throw unsupportedVersion();
    const batchId = text(batch, 'batch', UUID, 'a UUID').toLowerCase();
    const origin = readOrigin(batch);
    const sentAt = own(batch, 'sentAt');
    if (typeof sentAt !== 'number' || !Number.isSafeInteger(sentAt) || sentAt < 0) {
      throw invalid('sentAt is not a time', "Set sentAt to the browser's clock when sending, epoch milliseconds.");
    }
    const clockCorrection = provenCorrection(now - sentAt);
    const validated = validateColumns(readColumns(batch, BATCH_LIMITS), {
      correction: clockCorrection,
      oldest: now - MAX_AGE_MS,
      newest: now + MAX_AHEAD_MS,
      imports: false,
    });
    const status = readStatus(own(batch, 'status'));
    return { ok: true, batchId, origin, sentAt, clockCorrection, status, ...validated };
  });
}

const UNLIMITED = { rows: Infinity, dictionaryEntries: Infinity, metrics: Infinity };

/** Samples as columns, for imports and the demo. Their age is not checked. Throws a RangeError for an invalid sample. */
export function toBatchColumns(samples: readonly Sample[]): BatchColumns {
  const read = readColumns({ n: samples.length, ...encodeColumns(samples) }, UNLIMITED);
  const rules = { correction: 0, oldest: 0, newest: Infinity, imports: true };
  const { columns, rejected } = validateColumns(read, rules);
  const [first] = rejected;
  if (first !== undefined) throw new RangeError(`Sample ${first.row} is not valid (${first.code}).`);
  return columns;
}

export function catchFault(decoding: () => DecodedBatch): DecodedBatch {
  try {
    return decoding();
  } catch (fault) {
    if (fault instanceof BatchFault) {
      return { ok: false, code: fault.code, message: fault.message, hint: fault.hint };
    }
    throw fault;
  }
}

function readOrigin(batch: JsonObject): ClientInfo {
  const browser = own(batch, 'browser');
  if (browser !== 'chromium' && browser !== 'firefox' && browser !== 'other') {
    throw invalid(
      'browser is neither chromium nor firefox',
      'Name the engine, not the brand; other for what is no browser.',
    );
  }
  const clockStep = own(batch, 'clockStep');
  if (typeof clockStep !== 'number' || !Number.isInteger(clockStep) || clockStep < 1 || clockStep > MAX_CLOCK_STEP) {
    throw invalid('clockStep is not the resolution of a timer', 'Microseconds: 100 in Chromium, 1000 in Firefox.');
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
    throw invalid('site is not a label', `At most ${MAX_SITE_LENGTH} characters that can all be seen; empty for none.`);
  }
  return site;
}

function text(batch: JsonObject, name: string, pattern: RegExp, shape: string): string {
  const value = own(batch, name);
  if (typeof value !== 'string' || !pattern.test(value))
    throw invalid(`${name} is not valid`, `It has to be ${shape}.`);
  return value;
}
