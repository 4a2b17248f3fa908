import type { ClientInfo, Sample } from '../sample/sample.ts';
import type { BrowserStatus } from './browser-status.ts';
import { encodeColumns } from './encode-columns.ts';
import { WIRE_VERSION, type WireBatch } from './wire-batch.ts';

/** Largest number of 48 bits: the year 10889. */
const MAX_UUID_TIME = 2 ** 48 - 1;

/**
 * One batch ready for `JSON.stringify`. `sentAt` is the browser's wall clock at this attempt (epoch ms), so a retry encodes
 * again with the same `batchId`. The caller observes MAX_ROWS; the collector refuses more.
 */
export function encodeBatch(
  origin: ClientInfo,
  batchId: string,
  sentAt: number,
  samples: readonly Sample[],
  status: BrowserStatus | null = null,
): WireBatch {
  return {
    version: WIRE_VERSION,
    batch: batchId,
    client: origin.client,
    site: origin.site,
    browser: origin.browser,
    browserVersion: origin.browserVersion,
    extensionVersion: origin.extensionVersion,
    clockStep: origin.clockStep,
    sentAt,
    n: samples.length,
    ...(status === null ? {} : { status }),
    ...encodeColumns(samples),
  };
}

/**
 * The id of a new batch: a UUID of version 7 (RFC 9562, section 5.7), which begins with the time. Ids made together are
 * adjacent in the collector's table, so that a commit touches a page or two of it instead of one per batch.
 *
 * @param now epoch ms
 * @param random a UUID of version 4, from which the 74 other bits are taken
 */
export function batchId(now: number, random: string): string {
  const time = Math.min(Math.max(Math.floor(now), 0), MAX_UUID_TIME)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
