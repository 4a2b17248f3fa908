/** Limit for a string inside an entry, bytes. Longer ones are bodies, and are shortened. */
const MAX_STRING_BYTES = 64 * 1024;
/** Limit for an entry with shortened bodies, bytes. */
const MAX_PIECE_BYTES = 4 * 1024 * 1024;
/** HAR nests nothing deeper inside an entry. */
const MAX_DEPTH = 60;

/** The names we look for are shorter. */
const MAX_KEY_BYTES = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `uXXXX` after a backslash. */
const ESCAPE_BYTES = 5;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);

export type PieceName = 'entry' | 'page' | 'creator' | 'browser';

/** One value of a HAR as JSON text, or why it was dropped. */
export type HarPiece =
  | { readonly name: PieceName; readonly text: string; readonly fault: null }
  | { readonly name: PieceName; readonly text: null; readonly fault: 'too_large' | 'too_deep' };

/**
 * Splits a HAR into its entries and pages without holding the file: takes bytes and returns the JSON text of one entry
 * after another, with long strings (response bodies) shortened. It tracks only nesting and strings and leaves parsing to
 * the caller, so that a broken entry affects no other. Streaming JSON parsers stop at the first error, and hold strings
 * of any length.
 */
export class HarCutter {
  private depth = 0;
  private inString = false;
  private bare = false;
  private escaped = false;
  private sinceBackslash = 0;
  /** In the chunk that is being read. */
  private nextBackslash = -1;
  /** The rest of this string is dropped. */
  private shortened = false;
  /** Length of the string that is being read. */
  private stringBytes = 0;
  private key: number[] | null = null;
  /** Names of the open values at depths 1 and 2. */
  private readonly names: string[] = ['', '', ''];
  private lastString = '';
  private piece: { name: PieceName; depth: number; bytes: Buffer; length: number; fault: HarPiece['fault'] } | null =
    null;
  private seen = false;

  /** Whether there was a `log.entries`. */
  get foundEntries(): boolean {
    return this.seen;
  }

  /** Whether every opened bracket has been closed. */
  get complete(): boolean {
    return this.depth === 0;
  }

  /** Whether the last byte was inside an entry. */
  get insideEntry(): boolean {
    return this.piece?.name === 'entry';
  }

  push(chunk: Buffer): HarPiece[] {
    this.nextBackslash = -1;
    const done: HarPiece[] = [];
    for (let at = 0; at < chunk.length; at++) {
      if (this.inString) {
        at = this.readString(chunk, at);
        continue;
      }
      const byte = chunk[at] as number;
      if (byte === QUOTE) {
        this.noteBare();
        this.inString = true;
        this.stringBytes = 0;
        this.key = this.piece === null && this.depth <= 2 ? [] : null;
        this.copy(byte);
      } else if (OPEN.has(byte)) {
        this.open(byte);
      } else if (CLOSE.has(byte)) {
        this.endBare(done);
        this.copy(byte);
        this.depth = Math.max(0, this.depth - 1);
        const finished = this.finish();
        if (finished !== null) done.push(finished);
      } else {
        if (byte === COLON && this.piece === null && this.depth <= 2) this.names[this.depth] = this.lastString;
        if (byte === COMMA) this.endBare(done);
        else if (byte > SPACE) this.noteBare();
        this.copy(byte);
      }
    }
    return done;
  }

  /** A primitive among the entries: it counts as an entry, though it is not a valid one. */
  private noteBare(): void {
    if (this.piece === null && this.depth === 3 && this.isAt('entries')) this.bare = true;
  }

  private endBare(done: HarPiece[]): void {
    if (this.bare && this.piece === null && this.depth === 3) done.push({ name: 'entry', text: 'null', fault: null });
    this.bare = false;
  }

  private open(byte: number): void {
    if (this.piece === null) {
      const name = this.pieceName(byte);
      if (name !== null) {
        this.piece = { name, depth: this.depth, bytes: Buffer.alloc(4096), length: 0, fault: null };
      }
      if (this.depth === 2 && byte === 0x5b && this.isAt('entries')) this.seen = true;
    } else if (this.depth - this.piece.depth >= MAX_DEPTH) this.piece.fault ??= 'too_deep';
    this.copy(byte);
    this.depth++;
  }

  private isAt(name: string): boolean {
    return this.names[1] === 'log' && this.names[2] === name;
  }

  /** Name of the value that starts here. */
  private pieceName(byte: number): PieceName | null {
    if (this.depth === 3 && this.isAt('entries')) return 'entry';
    if (this.depth === 3 && this.isAt('pages')) return 'page';
    if (this.depth !== 2 || byte !== 0x7b) return null;
    return this.isAt('creator') ? 'creator' : this.isAt('browser') ? 'browser' : null;
  }

  private finish(): HarPiece | null {
    const { piece } = this;
    if (piece === null || this.depth !== piece.depth) return null;
    this.piece = null;
    const { name, fault } = piece;
    if (fault !== null) return { name, text: null, fault };
    return { name, text: piece.bytes.toString('utf8', 0, piece.length), fault: null };
  }

  /** Reads a string to its end or the chunk's. @returns the index of the last byte read */
  private readString(chunk: Buffer, from: number): number {
    let at = from;
    for (; at < chunk.length; at++) {
      if (this.skips() && !this.escaped) {
        at = this.endOfPlain(chunk, at);
        if (at >= chunk.length) break;
      }
      const byte = chunk[at] as number;
      this.sinceBackslash++;
      if (this.escaped) {
        this.escaped = false;
        this.keep(byte);
      } else if (byte === QUOTE) {
        this.inString = false;
        this.shortened = false;
        this.copy(byte);
        if (this.key !== null) this.lastString = Buffer.from(this.key).toString('utf8');
        return at;
      } else {
        // Neither inside a character nor inside \\uXXXX.
        if (this.stringBytes >= MAX_STRING_BYTES && (byte & 0xc0) !== 0x80 && this.sinceBackslash > ESCAPE_BYTES) {
          this.shortened = true;
        }
        if (byte === BACKSLASH) {
          this.escaped = true;
          this.sinceBackslash = 0;
        }
        this.keep(byte);
      }
    }
    return at;
  }

  /** Whether the content of this string is irrelevant. */
  private skips(): boolean {
    return this.key === null && (this.piece === null || this.piece.fault !== null || this.shortened);
  }

  /** Index of the next significant byte of a string. */
  private endOfPlain(chunk: Buffer, from: number): number {
    const end = (byte: number) => {
      const found = chunk.indexOf(byte, from);
      return found < 0 ? chunk.length : found;
    };
    // Searched again only once it is passed: most chunks have few.
    if (this.nextBackslash < from) this.nextBackslash = end(BACKSLASH);
    return Math.min(end(QUOTE), this.nextBackslash);
  }

  private keep(byte: number): void {
    this.stringBytes++;
    if (this.key !== null && this.key.length < MAX_KEY_BYTES) this.key.push(byte);
    if (!this.shortened) this.copy(byte);
  }

  private copy(byte: number): void {
    const { piece } = this;
    if (piece === null || piece.fault !== null) return;
    if (piece.length === piece.bytes.length) {
      if (piece.length >= MAX_PIECE_BYTES) {
        piece.fault = 'too_large';
        return;
      }
      piece.bytes = Buffer.concat([piece.bytes], piece.bytes.length * 2);
    }
    piece.bytes[piece.length++] = byte;
  }
}
