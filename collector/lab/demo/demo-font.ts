/**
 * A TrueType font with one letter, a block for "A": small enough to be written by hand, and complete enough to pass
 * the browsers' sanitizer. Names and layouts of the tables: https://learn.microsoft.com/typography/opentype/spec/
 */
export function demoFont(): Buffer {
  const tables: Readonly<Record<string, Buffer>> = {
    'OS/2': os2(),
    cmap: words(0, 1, 3, 1, 0, 12, 4, 32, 0, 4, 4, 1, 0, 0x41, 0xffff, 0, 0x41, 0xffff, -0x40 & 0xffff, 1, 0, 0),
    glyf: block(),
    head: head(),
    hhea: words(1, 0, 800, -200 & 0xffff, 0, 600, 50, 50, 550, 1, 0, 0, 0, 0, 0, 0, 0, 2),
    hmtx: words(600, 50, 600, 50),
    // The short format counts in units of two bytes.
    loca: words(0, block().length / 4, block().length / 2),
    maxp: words(1, 0, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
    name: name('LastbyteDemo'),
    post: Buffer.concat([words(3, 0, 0, 0, -100 & 0xffff, 50, 0, 0), Buffer.alloc(16)]),
  };
  return assemble(tables);
}

const UNITS_PER_EM = 1000;
const HEAD_CHECKSUM_OFFSET = 8;
/** The checksum of the whole file, `checkSumAdjustment` included, has to come out as this. */
const FILE_CHECKSUM = 0xb1b0afba;

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) buffer.writeUInt16BE(value, index * 2);
  return buffer;
}

/** A rectangle of four on-curve points, twice: a glyph each for .notdef and "A". */
function block(): Buffer {
  const header = words(1, 50, 0, 550, 700, 3, 0);
  const flags = Buffer.from([1, 1, 1, 1]);
  const glyph = Buffer.concat([header, flags, words(50, 500, 0, -500 & 0xffff), words(0, 0, 700, 0)]);
  return Buffer.concat([glyph, glyph]);
}

function head(): Buffer {
  const created = Buffer.alloc(16);
  const box = words(50, 0, 550, 700, 0, 8, 2, 0, 0);
  return Buffer.concat([words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0x000b, UNITS_PER_EM), created, box]);
}

function os2(): Buffer {
  const widths = words(4, 600, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0);
  const vendor = Buffer.concat([Buffer.alloc(10), Buffer.alloc(16), Buffer.from('LBYT', 'latin1')]);
  return Buffer.concat([
    widths,
    vendor,
    words(0x40, 0x41, 0x41, 800, -200 & 0xffff, 0, 800, 200),
    Buffer.alloc(8),
    words(500, 700, 0, 0x20, 0),
  ]);
}

function name(family: string): Buffer {
  const text = Buffer.from(family, 'utf16le').swap16();
  const ids = [1, 2, 3, 4, 5, 6];
  const records = ids.map((id) => words(3, 1, 0x409, id, text.length, 0));
  return Buffer.concat([words(0, ids.length, 6 + ids.length * 12), ...records, text]);
}

function assemble(tables: Readonly<Record<string, Buffer>>): Buffer {
  const names = Object.keys(tables).sort();
  const power = 2 ** Math.floor(Math.log2(names.length));
  const header = Buffer.concat([
    words(1, 0),
    words(names.length, power * 16, Math.log2(power), names.length * 16 - power * 16),
  ]);
  const directory: Buffer[] = [];
  const bodies: Buffer[] = [];
  let offset = header.length + names.length * 16;
  let headAt = 0;
  for (const tag of names) {
    const table = tables[tag] ?? Buffer.alloc(0);
    const entry = Buffer.alloc(16);
    entry.write(tag, 'latin1');
    entry.writeUInt32BE(checksum(table), 4);
    entry.writeUInt32BE(offset, 8);
    entry.writeUInt32BE(table.length, 12);
    directory.push(entry);
    if (tag === 'head') headAt = offset;
    bodies.push(padded(table));
    offset += padded(table).length;
  }
  const font = Buffer.concat([header, ...directory, ...bodies]);
  font.writeUInt32BE((FILE_CHECKSUM - checksum(font)) >>> 0, headAt + HEAD_CHECKSUM_OFFSET);
  return font;
}

function padded(table: Buffer): Buffer {
  return Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
}

function checksum(data: Buffer): number {
  const whole = padded(data);
  let sum = 0;
  for (let i = 0; i < whole.length; i += 4) sum = (sum + whole.readUInt32BE(i)) >>> 0;
  return sum;
}
