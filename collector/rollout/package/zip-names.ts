const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT_LENGTH = 0xffff;

/** Names of the files in a zip file; null where it is none. Reads the directory at its end and no contents. */
export function zipNames(zip: Buffer): string[] | null {
  const earliest = Math.max(0, zip.length - END_LENGTH - MAX_COMMENT_LENGTH);
  let end = zip.length - END_LENGTH;
  while (end >= earliest && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < earliest || end < 0) return null;
  const names: string[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > end || zip.readUInt32LE(at) !== CENTRAL_HEADER) return null;
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    names.push(zip.toString('utf8', at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}

/** Mozilla adds its signature as files; release Firefox takes no xpi without. The browser alone checks that it is valid. */
export function isSignedByMozilla(xpi: Buffer): boolean {
  return zipNames(xpi)?.includes('META-INF/mozilla.rsa') ?? false;
}
