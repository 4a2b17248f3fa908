import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** DejaVu: free to embed, with Latin, Greek, Cyrillic and mathematical symbols. */
const FILES = {
  regular: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
} as const;

export type FontName = keyof typeof FILES;

const read = new Map<FontName, Buffer>();

export function fontFile(name: FontName): Buffer {
  let file = read.get(name);
  if (file === undefined) {
    file = plainFont(readFileSync(FILES[name]()));
    read.set(name, file);
  }
  return file;
}

const TABLE_RECORD = 16;
const HEADER = 12;
/** Ligatures and kerning: they would be looked up for every word, and numbers in columns need neither. */
const LAYOUT = new Set(['GSUB', 'GPOS', 'GDEF', 'kern', 'FFTM', 'BASE', 'JSTF']);

/**
 * A TrueType font without its layout tables (https://learn.microsoft.com/typography/opentype/spec/otff): typesetting is
 * several times as fast, and selected text is exactly what was written.
 */
function plainFont(file: Buffer): Buffer {
  const count = file.readUInt16BE(4);
  const records = Array.from({ length: count }, (_, i) => HEADER + i * TABLE_RECORD)
    .map((at) => ({
      tag: file.toString('latin1', at, at + 4),
      checksum: file.readUInt32BE(at + 4),
      offset: file.readUInt32BE(at + 8),
      length: file.readUInt32BE(at + 12),
    }))
    .filter(({ tag }) => !LAYOUT.has(tag));
  const head = Buffer.alloc(HEADER + records.length * TABLE_RECORD);
  file.copy(head, 0, 0, 4);
  head.writeUInt16BE(records.length, 4);
  const power = 2 ** Math.floor(Math.log2(records.length));
  head.writeUInt16BE(power * TABLE_RECORD, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE((records.length - power) * TABLE_RECORD, 10);
  const tables: Buffer[] = [];
  let offset = head.length;
  records.forEach(({ tag, checksum, offset: from, length }, i) => {
    const at = HEADER + i * TABLE_RECORD;
    const table = Buffer.alloc(Math.ceil(length / 4) * 4);
    file.copy(table, 0, from, from + length);
    head.write(tag, at, 'latin1');
    head.writeUInt32BE(checksum, at + 4);
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(length, at + 12);
    tables.push(table);
    offset += table.length;
  });
  return Buffer.concat([head, ...tables]);
}
