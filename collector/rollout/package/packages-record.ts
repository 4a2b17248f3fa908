import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { CommandFailure } from '../../lib/failure.ts';

/** What `lastbyte package` writes beside the packages, for the server and for `lastbyte policy`. */
const PackagesRecordSchema = Type.Object({
  /** Of the manifests: the extension's own and the number of the package, `0.1.0.3`. */
  version: Type.String({ pattern: '^\\d+(\\.\\d+){1,3}$' }),
  /** SHA-256 of what the packages hold, their version aside. */
  content: Type.String(),
  /** Origin and path prefix; null where it was not named. */
  collector: Type.Union([Type.String(), Type.Null()]),
  /** An ingest key lies in the packages. */
  holdsKey: Type.Boolean(),
  hostPermissions: Type.Array(Type.String()),
  chromiumId: Type.String({ pattern: '^[a-p]{32}$' }),
  firefoxId: Type.String(),
  minimumChromium: Type.String(),
  minimumFirefox: Type.String(),
});
export type PackagesRecord = Static<typeof PackagesRecordSchema>;

/** In the data folder, where the server looks for it. */
export const PACKAGES_FOLDER = 'packages';

/** Names in the folder of packages; beside them the unpacked extensions in `chromium` and `firefox`. */
export const PACKAGE_FILES = {
  crx: 'chromium.crx',
  /** To be loaded unpacked; the same id as the crx. */
  zip: 'chromium.zip',
  /** To be uploaded to a store, which gives it an id and updates of its own. */
  storeZip: 'chromium-store.zip',
  xpi: 'firefox.xpi',
  record: 'packages.json',
} as const;

/** Null where nothing was packaged yet. Throws CommandFailure where the record can't be understood. */
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
  throw new CommandFailure(`${file} is not what lastbyte package writes`, 'Remove it and package again.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
