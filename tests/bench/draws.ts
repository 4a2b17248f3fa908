/** Random draws that cost a table look-up each: ten million rows need a hundred million of them. */
export interface Draws {
  uniform(): number;
  /** 0 … n − 1, all alike. */
  whole(n: number): number;
  chance(share: number): boolean;
  /** 0 … n − 1, the k-th with weight 1 / (k + 1). */
  zipf(n: number): number;
  /** Lognormal around the median. */
  spread(median: number): number;
  /** Lognormal around the median; one in a hundred is 5 to 100 times longer. */
  heavy(median: number): number;
  /** Bytes: whole, lognormal and wide. */
  sized(median: number): number;
}

const TABLE = 2 ** 14;
const SPREAD = 0.55;
const SIZE_SPREAD = 1.1;
const TAIL_SHARE = 0.01;

export function createDraws(uniform: () => number): Draws {
  const normal = Float64Array.from({ length: TABLE }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    return radius * Math.cos(2 * Math.PI * uniform());
  });
  const factors = normal.map((z) => Math.exp(SPREAD * z));
  const sizes = normal.map((z) => Math.exp(SIZE_SPREAD * z));
  const ladders = new Map<number, Int32Array>();
  const whole = (n: number) => Math.floor(uniform() * n);
  const pick = (table: Float64Array) => table[whole(TABLE)] as number;

  return {
    uniform,
    whole,
    chance: (share) => uniform() < share,
    zipf(n) {
      let ladder = ladders.get(n);
      if (ladder === undefined) {
        ladder = zipfLadder(n);
        ladders.set(n, ladder);
      }
      return ladder[whole(TABLE)] as number;
    },
    spread: (median) => median * pick(factors),
    heavy(median) {
      // The table repeats its values; a little more spread makes them differ.
      const ordinary = median * pick(factors) * (0.97 + 0.06 * uniform());
      return uniform() < TAIL_SHARE ? ordinary * 5 * Math.min(20, 1 / (1 - uniform())) : ordinary;
    },
    sized: (median) => Math.ceil(median * pick(sizes) * (0.97 + 0.06 * uniform())),
  };
}

/** Which k each of TABLE equal steps falls on. */
function zipfLadder(n: number): Int32Array {
  const weights = Array.from({ length: n }, (_, k) => 1 / (k + 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const ladder = new Int32Array(TABLE);
  let k = 0;
  let upTo = weights[0] as number;
  for (let step = 0; step < TABLE; step++) {
    while (((step + 0.5) / TABLE) * whole > upTo && k < n - 1) upTo += weights[++k] as number;
    ladder[step] = k;
  }
  return ladder;
}
