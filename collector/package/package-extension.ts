import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutPort } from '../../shared/redact/match-pattern.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import type { BrowserEngine } from '../browser/find-browser.ts';

/** What the extension reads from its own package where neither policy nor user said otherwise. */
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
  /** null where a policy or the user enrols the browser. */
  readonly enrolment: PackagedEnrolment | null;
  /** Folder to write, replaced where it exists. */
  readonly out: string;
}

/**
 * Writes an unpacked extension that may measure the targets, and reach the collector, without asking anybody. Resolves
 * with the host permissions it asks for. Rejects where the built extension is not there.
 */
export async function packageExtension(options: PackageOptions): Promise<readonly string[]> {
  const source = join(options.source, options.engine);
  const manifest = JSON.parse(await readFile(join(source, 'manifest.json'), 'utf8')) as Record<string, unknown>;
  const patterns = options.targets.flatMap(({ match }) => match);
  if (options.enrolment) patterns.push(`${new URL(options.enrolment.collector).origin}/*`);
  const permissions = [...new Set(patterns.map(withoutPort))].sort();
  await rm(options.out, { recursive: true, force: true });
  await cp(source, options.out, { recursive: true });
  await writeJson(join(options.out, 'manifest.json'), { ...manifest, host_permissions: permissions });
  if (options.enrolment) await writeJson(join(options.out, 'enrolment.json'), options.enrolment);
  return permissions;
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
