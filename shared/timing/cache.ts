import type { ConnectionEvidence } from '../vocabulary/vocabulary.ts';
import type { TimingEntry } from './timing-entry.ts';

/** https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-transfersize */
const HEADER_BYTES = 300;
/** Initiators of resources that Chromium also keeps in memory; fetch and documents bypass it. */
const MEMORY_CACHED: ReadonlySet<string> = new Set(['css', 'icon', 'image', 'img', 'input', 'link', 'script']);

/**
 * How the entry shows that the body came from the browser's cache; null if it does not. A 304 reads 200 in both
 * browsers; in Firefox nothing reveals it, so there it counts as an ordinary response.
 * https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-deliverytype
 * https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-transfersize
 */
export function readCacheEvidence(entry: TimingEntry): ConnectionEvidence | null {
  if (isRevalidated(entry)) return 'revalidated';
  if (entry.deliveryType === 'cache') return 'delivery_type_cache';
  if (entry.deliveryType === 'navigational-prefetch') return 'navigational_prefetch';
  const hasBody = entry.encodedBodySize > 0 || entry.decodedBodySize > 0;
  return hasBody && entry.transferSize === 0 ? 'body_without_transfer' : null;
}

/** The body came from the cache after asking the server: the stamps are those of a real request. */
export function isRevalidated(entry: TimingEntry): boolean {
  if (entry.requestStart === 0) return false;
  const said = entry.deliveryType === 'cache' && entry.transferSize > 0;
  return said || entry.responseStatus === 304 || isHeadersAlone(entry);
}

/**
 * After a 304, Chromium does not mark what its memory cache holds (images, styles, scripts, fonts) as cached: there is no
 * body, only the 300 bytes that stand for headers. An empty body of status 200 looks the same, but an image always has one.
 */
function isHeadersAlone(entry: TimingEntry): boolean {
  return (
    entry.deliveryType === '' &&
    entry.responseStatus === 200 &&
    entry.transferSize === HEADER_BYTES &&
    entry.encodedBodySize === 0 &&
    entry.decodedBodySize === 0 &&
    MEMORY_CACHED.has(entry.initiatorType)
  );
}
