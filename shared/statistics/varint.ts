/** Seven bits a byte, lowest first; the sign is folded into the lowest bit, so small sizes stay small either way. */
const LOW_BITS = 128;
/** 54 bits (a safe integer and its sign) need eight bytes of seven bits. */
const MAX_BYTES = 8;

/** @param integers whole numbers of at most 2⁵² either way */
export function packIntegers(integers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const integer of integers) {
    let rest = integer < 0 ? -integer * 2 - 1 : integer * 2;
    // Above 2³¹ the bit operators would cut numbers off, so this divides.
    while (rest >= LOW_BITS) {
      bytes.push((rest % LOW_BITS) + LOW_BITS);
      rest = Math.floor(rest / LOW_BITS);
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** @throws RangeError where the bytes end inside of a number */
export function unpackIntegers(bytes: Uint8Array): number[] {
  const integers: number[] = [];
  let folded = 0;
  let scale = 1;
  let read = 0;
  for (const byte of bytes) {
    folded += (byte % LOW_BITS) * scale;
    scale *= LOW_BITS;
    read++;
    if (byte >= LOW_BITS) {
      if (read === MAX_BYTES) throw new RangeError('A packed number is longer than eight bytes.');
      continue;
    }
    integers.push(folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2);
    folded = 0;
    scale = 1;
    read = 0;
  }
  if (read > 0) throw new RangeError('The bytes end inside of a number.');
  return integers;
}
