import type { ConnectionEvidence } from '../sample/vocabulary.ts';
import type { TimingEntry } from '../timing/timing-entry.ts';

/**
 * How the entry shows that the body came from the browser's cache; null where it does not. A 304 reads 200 in both
 * browsers; Firefox shows it in no way, so there it counts as an ordinary answer.
 * https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-deliverytype
 * https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-transfersize
 */
export function cacheEvidenceOf(entry: TimingEntry): ConnectionEvidence | null {
  if (isRevalidated(entry)) return 'revalidated';
  if (entry.deliveryType === 'cache') return 'delivery_type_cache';
  if (entry.deliveryType === 'navigational-prefetch') return 'navigational_prefetch';
  const hasBody = entry.encodedBodySize > 0 || entry.decodedBodySize > 0;
  return hasBody && entry.transferSize === 0 ? 'body_without_transfer' : null;
}

/** The body came from the cache after the server was asked: the stamps are those of a real request. */
export function isRevalidated(entry: TimingEntry): boolean {
  if (entry.requestStart === 0) return false;
  return (entry.deliveryType === 'cache' && entry.transferSize > 0) || entry.responseStatus === 304;
}
