import { crc32 } from 'node:zlib';
import { StoreError } from '../store-error.ts';

/** A blob as it is stored: beside it the CRC-32 of what was written; null where it was written before that was kept. */
export interface StoredBlob {
  readonly bytes: Buffer;
  readonly crc: number | null;
}

export { crc32 as checksum };

/**
 * The bytes, if they are what was written. A disk that returns something else without a word would make an answer that
 * looks like any other.
 *
 * @param what it is, for the message
 */
export function intact({ bytes, crc }: StoredBlob, what: string): Buffer {
  if (isIntact({ bytes, crc })) return bytes;
  throw new StoreError(
    'store_corrupt',
    `the database file is damaged: ${what} is not what was written`,
    'Stop the collector and restore a copy made by lastbyte backup; lastbyte check says what else is damaged.',
  );
}

export function isIntact({ bytes, crc }: StoredBlob): boolean {
  return crc === null || crc32(bytes) === crc;
}
