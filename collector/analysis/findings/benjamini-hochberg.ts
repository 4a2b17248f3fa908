/** Which of several tests hold if at most this share of those that hold may be chance (Benjamini and Hochberg, 1995). */
export function benjaminiHochberg(p: readonly number[], rate: number): boolean[] {
  const order = p.map((_, index) => index).sort((a, b) => (p[a] as number) - (p[b] as number));
  let last = -1;
  order.forEach((index, rank) => {
    if ((p[index] as number) <= (rate * (rank + 1)) / p.length) last = rank;
  });
  const holds = p.map(() => false);
  for (let rank = 0; rank <= last; rank++) holds[order[rank] as number] = true;
  return holds;
}
