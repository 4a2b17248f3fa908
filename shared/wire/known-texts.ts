/** Places that one text may stand in. */
const WAYS = 4;

/**
 * Texts by the bytes they are written with. Browsers send the same few names all day: finding one here costs a look at
 * its bytes, where making a string and judging it anew would cost many times that. A fixed number of places, so what is
 * sent may neither fill memory nor, by texts that were made to collide, cost time.
 */
export class KnownTexts {
  private readonly hashes: Int32Array;
  private readonly keys: (Uint8Array | undefined)[];
  private readonly texts: string[];
  private readonly mask: number;

  /** @param places a power of two */
  constructor(places: number) {
    this.hashes = new Int32Array(places);
    this.keys = new Array<Uint8Array | undefined>(places).fill(undefined);
    this.texts = new Array<string>(places).fill('');
    this.mask = places - 1;
  }

  /** The text that `bytes` from `from` up to `to` are known to say; null where they aren't known. */
  find(bytes: Uint8Array, from: number, to: number, hash: number): string | null {
    for (let way = 0; way < WAYS; way++) {
      const place = (hash + way) & this.mask;
      if (this.hashes[place] !== hash) continue;
      const key = this.keys[place];
      if (key !== undefined && isEqual(key, bytes, from, to)) return this.texts[place] as string;
    }
    return null;
  }

  remember(bytes: Uint8Array, from: number, to: number, hash: number, text: string): void {
    let place = hash & this.mask;
    for (let way = 0; way < WAYS; way++) {
      const next = (hash + way) & this.mask;
      if (this.keys[next] === undefined) {
        place = next;
        break;
      }
    }
    this.hashes[place] = hash;
    this.keys[place] = bytes.slice(from, to);
    this.texts[place] = text;
  }
}

function isEqual(key: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (key.length !== to - from) return false;
  for (let i = 0; i < key.length; i++) if (key[i] !== bytes[from + i]) return false;
  return true;
}
