import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { orNull } from '../../../shared/vocabulary/json-schema.ts';
import { CommandFailure } from '../../lib/failure.ts';

/** Written with the packages by `lastbyte package`, for the server and for `lastbyte policy`. */
const PackagesRecordSchema = Type.Object({
  /** In the manifests: the extension's version and the number of the package, `0.1.0.3`. */
  version: Type.String({ pattern: '^\\d+(\\.\\d+){1,3}$' }),
  /** SHA-256 of the packages' contents except their version. */
  content: Type.String(),
  /** Origin and path prefix; null if none was given. */
  collector: orNull(Type.String()),
  /** The packages contain an ingest key. */
  holdsKey: Type.Boolean(),
  /** The options they were made with, so that packaging again keeps them; absent from older records. */
  onlyTargets: Type.Optional(Type.Boolean()),
  failures: Type.Optional(Type.Boolean()),
  hostPermissions: Type.Array(Type.String()),
  chromiumId: Type.String({ pattern: '^[a-p]{32}$' }),
  firefoxId: Type.String(),
  minimumChromium: Type.String(),
  minimumFirefox: Type.String(),
});
export type PackagesRecord = Static<typeof PackagesRecordSchema>;

/** In the data folder, where the server looks for it. */
export const PACKAGES_FOLDER = 'packages';

/** Files in the folder of packages, which also holds the unpacked extensions in `chromium` and `firefox`. */
export const PACKAGE_FILES = {
  crx: 'chromium.crx',
  /** For loading unpacked; the same id as the crx. */
  zip: 'chromium.zip',
  /** For upload to a web store, which assigns an id and handles updates. */
  storeZip: 'chromium-store.zip',
  xpi: 'firefox.xpi',
  record: 'packages.json',
} as const;

/** Null if there are no packages yet. Throws CommandFailure if the record is invalid. */
export async function readPackagesRecord(folder: string): Promise<PackagesRecord | null> {
  const file = join(folder, PACKAGE_FILES.record);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw new CommandFailure(`${file} cannot be read`, 'Check the path and its permissions.');
  }
  const record = parse(text);
  if (Value.Check(PackagesRecordSchema, record)) return record;
  throw new CommandFailure(`${file} was not written by lastbyte package`, 'Remove it and package again.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
