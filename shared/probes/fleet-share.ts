/** Resolution of shares. */
const STEPS = 2 ** 32;

/**
 * Whether this browser is in the share of the fleet that runs a probe. Stable as long as the client id is; each probe gets a
 * different subset, equally large at every site.
 *
 * @param share 0 … 1
 */
export function isInShare(client: string, probe: string, share: number): boolean {
  return hash(`${probe} ${client}`) / STEPS < share;
}

/** FNV-1a over UTF-16 units, finished by murmur3's mixer, without which the high bits hardly vary. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
