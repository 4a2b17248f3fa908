import { crc32 } from 'node:zlib';
import { StoreError } from '../store-error.ts';

/** A stored blob with the CRC-32 of what was written. */
export interface StoredBlob {
  readonly bytes: Buffer;
  readonly crc: number;
}

export { crc32 as checksum };

/**
 * The bytes if they are what was written: a disk's silent corruption would give an answer like any other.
 *
 * @param what it is, for the message
 */
export function intact({ bytes, crc }: StoredBlob, what: string): Buffer {
  if (isIntact({ bytes, crc })) return bytes;
  throw new StoreError(
    'store_corrupt',
    `the database file is damaged: ${what} is not what was written`,
    'Stop the collector and restore a copy made by lastbyte backup; lastbyte check shows what else is damaged.',
  );
}

export function isIntact({ bytes, crc }: StoredBlob): boolean {
  return crc32(bytes) === crc;
}
