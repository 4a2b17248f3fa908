/**
 * Uniform numbers in [0, 1) from a seed: the same seed gives the same numbers on every machine, so that a report can be
 * reproduced. For resampling and test data, never for secrets.
 *
 * sfc32, a public-domain generator from Chris Doty-Humphrey's PractRand, seeded with one number and warmed up.
 */
export function seededRandom(seed: number): () => number {
  let a = seed | 0;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = 0x9e3779b9;
  let counter = 1;
  function next(): number {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + result) | 0;
    return (result >>> 0) / 2 ** 32;
  }
  for (let i = 0; i < 15; i++) next();
  return next;
}
