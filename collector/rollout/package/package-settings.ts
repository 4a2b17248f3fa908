import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { needsNetwork } from '../../../shared/settings/target-permissions.ts';
import { UsageFailure } from '../../lib/failure.ts';
import { makePackages, type PackagesPlan } from './make-packages.ts';
import { neededHosts } from './needed-hosts.ts';
import { builtExtension, ENROLMENT, type PackagedEnrolment } from './package-extension.ts';
import { type PackagesRecord, readPackagesRecord } from './packages-record.ts';
import { type SigningKey, signingKey } from './signing-key.ts';

export interface Packaging extends Omit<PackagesPlan, 'source' | 'targets' | 'network' | 'key'> {
  /** With canonical hosts. */
  readonly settings: Settings;
  readonly signingKeyFile: string;
  /** Folder of the built extensions; by default the one beside the built command. */
  readonly source?: string | undefined;
}

/** Packages the extension for these settings. Throws CommandFailure. */
export async function packageSettings({
  settings,
  signingKeyFile,
  source,
  ...plan
}: Packaging): Promise<{ record: PackagesRecord; signing: SigningKey }> {
  const targets = neededHosts(settings);
  if (targets.every(({ match }) => match.length === 0)) {
    throw new UsageFailure(
      'the settings have no target',
      'Choose an app in the dashboard, or give --targets FILE with {"id", "name", "match": ["https://app…/*"]}.',
    );
  }
  const built = source ?? (await builtExtension());
  const signing = await signingKey(signingKeyFile);
  // Recordings need it only in robots, which are few, and it slows all others.
  const schedule = settings.probes?.schedule.filter((probe) => !probe.recording) ?? [];
  const network = (plan.failures ?? false) || needsNetwork(settings.targets, schedule);
  return { record: await makePackages({ ...plan, source: built, targets, network, key: signing.key }), signing };
}

/** Packages again for another address or other settings: everything else is as it was chosen before. Throws CommandFailure. */
export async function packageAgain(
  packaging: Pick<Packaging, 'settings' | 'signingKeyFile' | 'source' | 'out'> & { readonly collector: string },
): Promise<PackagesRecord> {
  const before = await readPackagesRecord(packaging.out);
  const enrolment: PackagedEnrolment | null = before?.holdsKey
    ? JSON.parse(await readFile(join(packaging.out, 'chromium', ENROLMENT), 'utf8'))
    : null;
  const { record } = await packageSettings({
    ...packaging,
    enrolment: enrolment && { ...enrolment, collector: packaging.collector },
    onlyTargets: before?.onlyTargets ?? false,
    failures: before?.failures ?? false,
    number: null,
    newId: false,
  });
  return record;
}
