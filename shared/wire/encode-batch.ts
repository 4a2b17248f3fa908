import type { ClientInfo, Sample } from '../sample/sample.ts';
import type { BrowserStatus } from './browser-status.ts';
import { encodeColumns } from './encode-columns.ts';
import { WIRE_VERSION, type WireBatch } from './wire-batch.ts';

/**
 * One batch ready for `JSON.stringify`. `sentAt` is the browser's wall clock at this very attempt (epoch ms), so a
 * retry encodes again with the same `batchId`. The caller keeps to MAX_ROWS; more is refused by the collector.
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
