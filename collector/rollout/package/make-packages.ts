import { createHash, type KeyObject } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BROWSER_ENGINES, type BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { CommandFailure } from '../../lib/failure.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { errorCode } from '../../lib/read-text.ts';
import { nextVersion, refuseOlder } from './next-version.ts';
import { extensionId, manifestKey, packCrx } from './pack-crx.ts';
import { type PackageOptions, packageExtension } from './package-extension.ts';
import { PACKAGE_FILES, type PackagesRecord, readPackagesRecord } from './packages-record.ts';
import { listFiles, type PackedFile, zipFiles } from './zip-files.mjs';

export interface PackagesPlan
  extends Required<Pick<PackageOptions, 'source' | 'targets' | 'enrolment' | 'collector' | 'onlyTargets' | 'network'>> {
  /** Existing packages in it are replaced; other files stay. */
  readonly out: string;
  readonly key: KeyObject;
  /** Fourth number of the version; null increments that of the existing packages. */
  readonly number: number | null;
  /** Replace packages that were signed with another key. */
  readonly newId: boolean;
  /** `network` was asked for, whatever the settings need. */
  readonly failures?: boolean;
}

const MANIFEST = 'manifest.json';
const MAKING = '.making-';
/** Packaging takes seconds, so a staging folder older than this was left by a killed process. */
const INTERRUPTED_AFTER_MS = 600_000;

interface Manifest {
  readonly version: string;
  readonly host_permissions: readonly string[];
  readonly minimum_chrome_version?: string;
  readonly browser_specific_settings?: { readonly gecko: { readonly id: string; readonly strict_min_version: string } };
}

/** Packages the extension for every kind of installation. The same plan gives the same bytes. Throws CommandFailure. */
export async function makePackages(plan: PackagesPlan): Promise<PackagesRecord> {
  const before = await readPackagesRecord(plan.out);
  const chromiumId = extensionId(plan.key);
  if (before !== null && before.chromiumId !== chromiumId && !plan.newId) throw otherKey(plan.out, before.chromiumId);
  await makeFolder(plan.out).catch(unwritable(plan.out));
  const staging = await mkdtemp(join(plan.out, MAKING)).catch(unwritable(plan.out));
  try {
    await removeInterrupted(plan.out, staging);
    for (const engine of BROWSER_ENGINES) {
      await packageExtension({ ...plan, chromiumKey: manifestKey(plan.key), engine, out: join(staging, engine) });
    }
    const content = createHash('sha256');
    for (const engine of BROWSER_ENGINES) content.update(zipFiles(await listFiles(join(staging, engine))));
    const digest = content.digest('hex');
    const { version: own } = await manifestOf(staging, 'chromium');
    const version =
      plan.number === null
        ? nextVersion({ own, before: before?.version ?? null, same: before?.content === digest })
        : `${own}.${plan.number}`;
    if (before !== null) refuseOlder(version, before.version);
    await setVersion(staging, version);
    const [chromium, firefox] = await Promise.all(BROWSER_ENGINES.map((engine) => manifestOf(staging, engine)));
    const record: PackagesRecord = {
      version,
      content: digest,
      collector: plan.collector,
      holdsKey: plan.enrolment !== null,
      onlyTargets: plan.onlyTargets,
      failures: plan.failures ?? false,
      hostPermissions: [...(chromium?.host_permissions ?? [])],
      chromiumId,
      firefoxId: firefox?.browser_specific_settings?.gecko.id ?? '',
      minimumChromium: chromium?.minimum_chrome_version ?? '',
      minimumFirefox: firefox?.browser_specific_settings?.gecko.strict_min_version ?? '',
    };
    await pack(staging, plan.key, record);
    await moveInto(plan.out, staging);
    return record;
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? cannotPackage(error) : error;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Removes staging folders that killed processes left behind, but none that another process may still be using. */
async function removeInterrupted(out: string, staging: string): Promise<void> {
  const { mtimeMs: now } = await stat(staging);
  for (const name of await readdir(out)) {
    if (!name.startsWith(MAKING)) continue;
    const left = await stat(join(out, name)).catch(() => null); // its own process has just removed it
    if (left !== null && now - left.mtimeMs > INTERRUPTED_AFTER_MS)
      await rm(join(out, name), { recursive: true, force: true });
  }
}

async function pack(folder: string, key: KeyObject, record: PackagesRecord): Promise<void> {
  const chromium = await listFiles(join(folder, 'chromium'));
  const zip = zipFiles(chromium);
  const files: Readonly<Record<string, Buffer | string>> = {
    [PACKAGE_FILES.zip]: zip,
    [PACKAGE_FILES.crx]: packCrx(zip, key),
    [PACKAGE_FILES.storeZip]: zipFiles(chromium.map(forStore)),
    [PACKAGE_FILES.xpi]: zipFiles(await listFiles(join(folder, 'firefox'))),
    [PACKAGE_FILES.record]: `${JSON.stringify(record, null, 2)}\n`,
  };
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)));
}

/** Web stores refuse a manifest with a key or an update address. */
function forStore(file: PackedFile): PackedFile {
  if (file.name !== MANIFEST) return file;
  const { key, update_url, ...manifest } = JSON.parse(file.content.toString()) as Record<string, unknown>;
  return { name: file.name, content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) };
}

/** The record is written last: until then a server describes the previous packages. */
async function moveInto(out: string, staging: string): Promise<void> {
  for (const engine of BROWSER_ENGINES) {
    await rm(join(out, engine), { recursive: true, force: true });
    await rename(join(staging, engine), join(out, engine));
  }
  for (const name of Object.values(PACKAGE_FILES)) await rename(join(staging, name), join(out, name));
}

async function manifestOf(folder: string, engine: BrowserEngine): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, engine, MANIFEST), 'utf8')) as Manifest;
}

async function setVersion(folder: string, version: string): Promise<void> {
  for (const engine of BROWSER_ENGINES) {
    const manifest = { ...(await manifestOf(folder, engine)), version };
    await writeFile(join(folder, engine, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

function otherKey(out: string, id: string): CommandFailure {
  return new CommandFailure(
    `the packages in ${out} have the id ${id}, which does not belong to this signing key`,
    'Run lastbyte package with their key as --signing-key. Or with --new-id, and replace every policy.',
  );
}

function unwritable(out: string): (error: unknown) => never {
  return (error) => {
    throw new CommandFailure(`${out} cannot be written${errorCode(error)}`, 'Check its permissions.');
  };
}

function cannotPackage({ message }: Error): CommandFailure {
  return new CommandFailure(
    `packaging failed: ${message}`,
    'The packages that were there are still served. Make room or check permissions, then package again.',
  );
}
