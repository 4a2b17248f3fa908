import { join } from 'node:path';
import { Command } from 'commander';
import { withCanonicalHosts } from '../../shared/settings/canonical-hosts.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import { BROWSER_ENGINES } from '../../shared/vocabulary/vocabulary.ts';
import { UsageFailure } from '../lib/failure.ts';
import { note, printJson } from '../lib/print.ts';
import {
  collectorAddress,
  HTTP_OPTION,
  type HttpOption,
  ingestKey,
  KEY_VARIABLE,
  siteLabel,
} from '../rollout/package/check-enrolment.ts';
import { MAX_VERSION_PART } from '../rollout/package/next-version.ts';
import type { PackagedEnrolment } from '../rollout/package/package-extension.ts';
import { packageSettings } from '../rollout/package/package-settings.ts';
import {
  PACKAGE_FILES,
  PACKAGES_FOLDER,
  type PackagesRecord,
  readPackagesRecord,
} from '../rollout/package/packages-record.ts';
import { SIGNING_KEY_FILE, type SigningKey } from '../rollout/package/signing-key.ts';
import { currentSettings } from '../storage/current-settings.ts';
import { readSettingsFile } from './read-settings-file.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';
import { warnUnknownKey } from './unknown-key.ts';
import { wholeNumber } from './whole-number.ts';

interface PackageCommandOptions extends StoreOption, HttpOption {
  readonly targets?: string;
  readonly out?: string;
  readonly collector?: string;
  readonly key?: string;
  readonly keyFromEnv?: boolean;
  readonly site: string;
  readonly onlyTargets?: boolean;
  readonly failures?: boolean;
  readonly signingKey?: string;
  readonly newId?: boolean;
  readonly build?: number;
}

export function packageCommand(): Command {
  return new Command('package')
    .description('package the extension for your apps: permitted to measure them, and only them, without a prompt')
    .option(
      '--targets <file>',
      'settings document whose targets it may measure; - reads standard input (default: the settings in force)',
    )
    .option('--collector <url>', 'address of its updates; permitted too (default: as packaged before)')
    .option(...HTTP_OPTION)
    .option('--out <dir>', `folder to write to (default: ${PACKAGES_FOLDER} in the data folder, which serve offers)`)
    .option('--only-targets', 'users cannot permit anything beyond these targets, such as one added later')
    .option(
      '--failures',
      'Chromium reports why requests and page loads fail, and can be a robot; costs it 0.3 ms a request',
    )
    .option('--key <key>', 'ingest key to put into the packages, for browsers without a policy')
    .option('--key-from-env', `the same, read from ${KEY_VARIABLE}`)
    .option('--site <label>', 'with a key: label of the location of these browsers', '')
    .option('--signing-key <file>', `RSA key, created if missing (default: ${SIGNING_KEY_FILE} in the data folder)`)
    .option('--new-id', 'replace packages in the folder that were signed with another key')
    .option(
      '--build <number>',
      'fourth number of the version (default: one more whenever anything changed)',
      wholeNumber(0, MAX_VERSION_PART),
    )
    .addOption(dataOption())
    .option('--json', 'print {version, chromiumId, firefoxId, files, packages:[{engine, path, hostPermissions}], …}')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte package --collector https://lastbyte.example.com\n  lastbyte package --targets settings.json --collector https://lastbyte.example.com\n\n' +
        'Then serve offers them at /install, and lastbyte policy prints the policies that install them.',
    )
    .action(run);
}

async function run(options: PackageCommandOptions): Promise<void> {
  const out = options.out ?? join(options.data, PACKAGES_FOLDER);
  // Browsers with a package that has lost it would get no more updates.
  const before = options.newId ? null : await readPackagesRecord(out);
  const collector =
    options.collector === undefined ? (before?.collector ?? null) : collectorAddress(options.collector, options);
  const enrolment = enrolmentOf(options, collector);
  const settings = await settingsOf(options);
  const { record, signing } = await packageSettings({
    settings,
    out,
    signingKeyFile: options.signingKey ?? join(options.data, SIGNING_KEY_FILE),
    collector,
    enrolment,
    onlyTargets: options.onlyTargets ?? false,
    failures: options.failures ?? false,
    number: options.build ?? null,
    newId: options.newId ?? false,
  });
  const report = reportOf(record, out);
  if (options.json) printJson(report);
  else note(...report.files, ...BROWSER_ENGINES.map((engine) => `${join(out, engine)}/  unpacked`));
  const unknown = enrolment === null ? [] : await warnUnknownKey(enrolment.key, options);
  note(...advice(options, record, signing), ...unknown);
}

/** Those of the file, else those that the collector has. */
async function settingsOf({ targets, ...options }: PackageCommandOptions): Promise<Settings> {
  if (targets !== undefined) return withCanonicalHosts(await readSettingsFile(targets));
  return (await withStore(options, (store) => currentSettings(store.settings))).settings;
}

function enrolmentOf(options: PackageCommandOptions, collector: string | null): PackagedEnrolment | null {
  const key = options.key ?? (options.keyFromEnv ? (process.env[KEY_VARIABLE] ?? '') : undefined);
  if (key === undefined) {
    if (options.site === '') return null;
    throw new UsageFailure('only packages with a key hold a site', 'Add --key, or give --site to lastbyte policy.');
  }
  if (collector === null) throw new UsageFailure('a key needs its collector', 'Add --collector https://host.');
  return { collector, key: ingestKey(key), site: siteLabel(options.site) };
}

function reportOf(record: PackagesRecord, out: string) {
  return {
    version: record.version,
    chromiumId: record.chromiumId,
    firefoxId: record.firefoxId,
    collector: record.collector,
    holdsKey: record.holdsKey,
    files: Object.values(PACKAGE_FILES).map((name) => join(out, name)),
    packages: BROWSER_ENGINES.map((engine) => ({
      engine,
      path: join(out, engine),
      hostPermissions: record.hostPermissions,
    })),
  };
}

function advice(options: PackageCommandOptions, record: PackagesRecord, { made, exposed }: SigningKey): string[] {
  const file = options.signingKey ?? join(options.data, SIGNING_KEY_FILE);
  return [
    `Version ${record.version}, permitted on: ${record.hostPermissions.join(' ')}`,
    ...(made
      ? [`Created the signing key ${file}. Keep a copy: without it there are no updates, only a new extension.`]
      : []),
    ...(exposed ? [`Other users can read the signing key. Run: chmod 600 ${file}`] : []),
    ...(record.holdsKey ? ['The packages hold the ingest key: anyone who can fetch them can send samples.'] : []),
    ...(record.collector === null
      ? ['Without --collector there are no automatic updates, and the browser prompts before it may reach one.']
      : [
          options.out === undefined
            ? `Next: ${record.collector}/install shows how to install it in one browser. For all of them:`
            : `Next, let lastbyte serve --packages ${options.out} offer them. The policy for all browsers:`,
          `  lastbyte policy chrome --key KEY ${options.out === undefined ? `--data ${options.data}` : `--packages ${options.out}`}`,
        ]),
  ];
}
