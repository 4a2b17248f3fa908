/** One round of MurmurHash3's mixing (public domain). */
export function mixHash(hash: number, value: number): number {
  let k = Math.imul(value | 0, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  const h = hash ^ Math.imul(k, 0x1b873593);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** Not a defence against forgery. @param seed different ones give hashes that have nothing to do with each other */
export function hashText(text: string, seed: number): number {
  let hash = mixHash(seed, text.length);
  for (let i = 0; i < text.length; i++) hash = mixHash(hash, text.charCodeAt(i));
  return hash;
}
