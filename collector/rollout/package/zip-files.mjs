// @ts-check
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
/** 2.0, of the year 1993: no compression, no 64 bit sizes. */
const VERSION = 20;
const UTF8_NAMES = 0x0800;
/** 1980-01-01, the earliest a zip file can say: year - 1980 in the upper 7 bits, then month and day. */
const FIRST_DATE = (1 << 5) | 1;

/** @typedef {{ readonly name: string, readonly content: Buffer }} PackedFile */

/** @param {string} folder @returns {Promise<Buffer>} */
export async function zipFolder(folder) {
  return zipFiles(await filesOf(folder));
}

/**
 * All files below a folder, with their paths in it.
 * @param {string} folder
 * @returns {Promise<PackedFile[]>}
 */
export async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({
      name: path.relative(folder, file).split(path.sep).join('/'),
      content: await readFile(file),
    })),
  );
}

/**
 * A zip file: the same bytes for the same files in any order, whenever and wherever it is made. Stored and not deflated:
 * what deflate makes depends on the version of zlib and on the processor.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 * @param {readonly PackedFile[]} files
 * @returns {Buffer}
 */
export function zipFiles(files) {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  const local = [];
  const central = [];
  let offset = 0;
  for (const { name, content } of sorted) {
    const nameBytes = Buffer.from(name, 'utf8');
    const common = commonHeader(nameBytes, content);
    local.push(uint32(LOCAL_HEADER), common, nameBytes, content);
    // Comment, disk, and attributes of another system: none.
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(uint32(CENTRAL_HEADER), uint16(VERSION), common, rest, nameBytes);
    offset += 4 + common.length + nameBytes.length + content.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_OF_DIRECTORY, 0);
  end.writeUInt16LE(sorted.length, 8);
  end.writeUInt16LE(sorted.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

/**
 * What the header before a file and the one in the directory say alike.
 * @param {Buffer} name
 * @param {Buffer} content
 */
function commonHeader(name, content) {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(VERSION, 0);
  header.writeUInt16LE(UTF8_NAMES, 2);
  header.writeUInt16LE(FIRST_DATE, 8);
  header.writeUInt32LE(crc32(content), 10);
  header.writeUInt32LE(content.length, 14);
  header.writeUInt32LE(content.length, 18);
  header.writeUInt16LE(name.length, 22);
  return header;
}

/** @param {number} value */
function uint16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

/** @param {number} value */
function uint32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
