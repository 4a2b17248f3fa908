import { access, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostPermission } from '../../../shared/redact/match-pattern.ts';
import type { Target } from '../../../shared/settings/settings-schema.ts';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { CommandFailure } from '../../lib/failure.ts';

/** What the extension reads from its own package unless a policy or the user overrides it. */
export interface PackagedEnrolment {
  /** Such as `https://lastbyte.example.com`. */
  readonly collector: string;
  readonly key: string;
  readonly site: string;
}

export interface PackageOptions {
  /** Folder of the built extensions, one folder per engine. */
  readonly source: string;
  readonly engine: BrowserEngine;
  readonly targets: readonly Pick<Target, 'match'>[];
  /** null if a policy or the user enrols the browser. */
  readonly enrolment: PackagedEnrolment | null;
  /** Permitted without a prompt, and the source of updates; default: the enrolment's. */
  readonly collector?: string | null;
  /** Public key of the signer in base64, which gives every kind of installation the same id. */
  readonly chromiumKey?: string;
  /**
   * Includes Chromium's optional permissions: rules for probes and unlocked timings, and why requests fail. They slow down
   * every page, so they are for settings that need them: docs/rollout.md.
   */
  readonly network?: boolean;
  /** Users cannot permit anything beyond the targets. */
  readonly onlyTargets?: boolean;
  /** Folder to write, replaced if it exists. */
  readonly out: string;
}

/** Folder of the built extensions, next to the built command. Throws CommandFailure if it does not exist. */
export async function builtExtension(): Promise<string> {
  const folder = fileURLToPath(new URL('./extension', import.meta.url));
  await access(folder).catch(() => {
    throw new CommandFailure(`${folder} does not exist`, 'Build it with npm run build.');
  });
  return folder;
}

/** In the package. */
export const ENROLMENT = 'enrolment.json';

type Manifest = Record<string, unknown>;

/**
 * Writes an unpacked extension that may measure the targets, and reach the collector, without a prompt. Resolves with its
 * host permissions. Rejects if the built extension does not exist.
 */
export async function packageExtension(options: PackageOptions): Promise<readonly string[]> {
  const source = join(options.source, options.engine);
  const built = JSON.parse(await readFile(join(source, 'manifest.json'), 'utf8')) as Manifest;
  const collector = options.collector ?? options.enrolment?.collector ?? null;
  const patterns = options.targets.flatMap(({ match }) => match);
  if (collector !== null) patterns.push(`${new URL(collector).origin}/*`);
  const permissions = [...new Set(patterns.map(hostPermission))].sort();
  const { optional_host_permissions: optional, optional_permissions: network, permissions: own, ...rest } = built;
  const manifest = {
    ...withUpdates(rest, options, collector),
    permissions: options.network ? [own, network ?? []].flat().sort() : own,
    ...(options.onlyTargets ? {} : { optional_host_permissions: optional }),
    ...(options.onlyTargets || options.network || !network ? {} : { optional_permissions: network }),
    host_permissions: permissions,
  };
  await rm(options.out, { recursive: true, force: true });
  await cp(source, options.out, { recursive: true });
  await writeJson(join(options.out, 'manifest.json'), manifest);
  if (options.enrolment) await writeJson(join(options.out, ENROLMENT), options.enrolment);
  return permissions;
}

/** Adds the address of updates. Firefox disables an extension whose address is not https, so there it is omitted. */
function withUpdates(manifest: Manifest, { engine, chromiumKey }: PackageOptions, collector: string | null): Manifest {
  if (engine === 'chromium') {
    if (chromiumKey === undefined) return manifest;
    return { ...manifest, key: chromiumKey, ...(collector ? { update_url: `${collector}/install/update.xml` } : {}) };
  }
  if (chromiumKey === undefined || !collector?.startsWith('https:')) return manifest;
  const { browser_specific_settings: settings } = manifest as { browser_specific_settings: { gecko: object } };
  const gecko = { ...settings.gecko, update_url: `${collector}/install/updates.json` };
  return { ...manifest, browser_specific_settings: { ...settings, gecko } };
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
