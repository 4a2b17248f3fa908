import { join } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson } from '../lib/print.ts';
import { writeWholeFile } from '../lib/write-whole-file.ts';
import {
  collectorAddress,
  HTTP_OPTION,
  type HttpOption,
  ingestKey,
  KEY_VARIABLE,
  siteLabel,
} from '../rollout/package/check-enrolment.ts';
import { PACKAGES_FOLDER, type PackagesRecord, readPackagesRecord } from '../rollout/package/packages-record.ts';
import { policyPlaces, policyText } from '../rollout/policy/policy-text.ts';
import {
  type ManagedSettings,
  ownSource,
  POLICY_BROWSERS,
  POLICY_FORMATS,
  type PolicyBrowser,
  type PolicyFormat,
  type RollOut,
} from '../rollout/policy/roll-out.ts';
import { dataOption, type StoreOption } from './store-option.ts';
import { warnUnknownKey } from './unknown-key.ts';
import { wholeNumber } from './whole-number.ts';

interface PolicyOptions extends StoreOption, HttpOption {
  readonly format: PolicyFormat;
  readonly collector?: string;
  readonly key?: string;
  readonly site: string;
  readonly pauseForGood: boolean;
  readonly share?: number;
  readonly recorder?: boolean;
  readonly robot?: boolean;
  readonly fromStore?: string;
  readonly allowUnsigned?: boolean;
  readonly packages?: string;
  readonly out?: string;
}

/** https://chromeenterprise.google/policies/#ExtensionInstallForcelist names both. */
const STORES = {
  chrome: 'https://clients2.google.com/service/update2/crx',
  edge: 'https://edge.microsoft.com/extensionwebstorebase/v1/crx',
};

export function policyCommand(): Command {
  return new Command('policy')
    .description('print a policy that installs and enrols the extension in every browser of an organisation')
    .addArgument(new Argument('<browser>', 'the browser it is for').choices(POLICY_BROWSERS))
    .addOption(
      new Option('--format <format>', 'json for Linux, reg and intune for Windows, plist for macOS')
        .choices(POLICY_FORMATS)
        .default('json'),
    )
    .option('--collector <url>', 'address at which browsers reach the collector (default: as packaged)')
    .option(...HTTP_OPTION)
    .option('--key <key>', `ingest key of these browsers, also read from ${KEY_VARIABLE}`)
    .option('--site <label>', 'location of these browsers; one policy per site', '')
    .option('--no-pause-for-good', 'users may pause only for an hour or until the next start')
    .addOption(
      new Option(
        '--share <percent>',
        'begin with this percentage of the browsers, 0 to 100: the others measure nothing yet',
      )
        .argParser(wholeNumber(0, 100))
        .conflicts('robot'),
    )
    .option('--recorder', 'users of these browsers may record journeys')
    .option('--robot', 'these browsers replay journeys and measure nothing else: no person uses them')
    .option('--from-store <id>', 'Chrome, Edge: install from the web store, where the extension has this id')
    .option('--allow-unsigned', "Firefox ESR: accept packages without Mozilla's signature, from any publisher")
    .option('--packages <dir>', `folder of lastbyte package (default: ${PACKAGES_FOLDER} in the data folder)`)
    .option('--out <file>', 'write it to a file that only you can read, instead of printing it')
    .addOption(dataOption())
    .option('--json', 'print {browser, format, extensionId, installFrom, places, policy}')
    .addHelpText(
      'after',
      '\nExamples:\n  lastbyte policy chrome --key lb_ingest_… --site Berlin\n' +
        '  lastbyte policy firefox --format plist --key lb_ingest_… --out lastbyte.mobileconfig\n\n' +
        'docs/rollout.md says where to put it, for each browser and system.\n\nExample:\n  lastbyte policy edge --format reg --key lb_ingest_… --out lastbyte.reg',
    )
    .action(run);
}

async function run(browser: PolicyBrowser, options: PolicyOptions): Promise<void> {
  const { format, fromStore } = options;
  const managed = managedOf(options);
  const folder = options.packages ?? join(options.data, PACKAGES_FOLDER);
  const record = await readPackagesRecord(folder);
  const given = options.collector ?? record?.collector ?? null;
  if (given === null) {
    if (record === null && fromStore === undefined) throw nothingPackaged(folder, 'https://host');
    throw new UsageFailure('the collector is not known', 'Add --collector https://host.');
  }
  const collector = collectorAddress(given, options);
  const source =
    fromStore === undefined ? packagedSource(browser, record, folder, collector) : storeSource(browser, fromStore);
  const rollOut = { ...source, managed: { collector, ...managed }, allowUnsigned: options.allowUnsigned ?? false };
  if (rollOut.allowUnsigned && browser !== 'firefox') {
    throw new UsageFailure('--allow-unsigned is for Firefox', 'Leave it out: the crx carries its own signature.');
  }
  const unknown = await warnUnknownKey(managed.key, options);
  const policy = policyText(browser, format, rollOut);
  const places = policyPlaces(browser, format);
  // Readable by its owner alone, even if it replaces a file that was not: it holds the ingest key.
  if (options.out !== undefined) await writeWholeFile(options.out, [Buffer.from(policy)]);
  if (options.json) printJson({ browser, format, ...source, places, policy });
  else if (options.out === undefined) process.stdout.write(policy);
  const placed = places.map(({ system, place }) => `${system}: ${place}`);
  note(...placed, ...unknown, ...warnings(browser, options, record, collector));
}

function managedOf(options: PolicyOptions): ManagedSettings & { readonly key: string } {
  const key = options.key ?? process.env[KEY_VARIABLE];
  if (key === undefined) {
    throw new UsageFailure(
      'the policy needs an ingest key',
      `Give --key or ${KEY_VARIABLE}; lastbyte token create --role ingest creates one.`,
    );
  }
  return {
    key: ingestKey(key),
    ...(options.site === '' ? {} : { site: siteLabel(options.site) }),
    ...(options.pauseForGood ? {} : { allowPauseForGood: false }),
    ...(options.share === undefined ? {} : { share: options.share }),
    ...(options.recorder ? { recorder: true } : {}),
    ...(options.robot ? { robot: true } : {}),
  };
}

type Source = Pick<RollOut, 'extensionId' | 'installFrom'>;

function packagedSource(
  browser: PolicyBrowser,
  record: PackagesRecord | null,
  folder: string,
  collector: string,
): Source {
  if (record !== null) return ownSource(browser, record, collector);
  throw nothingPackaged(folder, collector);
}

function nothingPackaged(folder: string, collector: string): CommandFailure {
  return new CommandFailure(
    `there are no packages in ${folder} yet`,
    `Run lastbyte package --targets settings.json --collector ${collector}; or give --from-store ID.`,
  );
}

function storeSource(browser: PolicyBrowser, id: string): Source {
  if (browser === 'firefox') {
    throw new UsageFailure(
      '--from-store is for Chrome and Edge',
      'Have the xpi signed by Mozilla and put it into the folder of packages: docs/rollout.md.',
    );
  }
  if (!/^[a-p]{32}$/.test(id))
    throw new UsageFailure(`${id} is not the id of a web store`, 'It has 32 letters from a to p.');
  return { extensionId: id, installFrom: STORES[browser === 'edge' ? 'edge' : 'chrome'] };
}

function warnings(
  browser: PolicyBrowser,
  { fromStore }: PolicyOptions,
  record: PackagesRecord | null,
  collector: string,
): string[] {
  if (record === null || fromStore !== undefined || record.collector === collector) return [];
  const packaged = record.collector === null ? 'without a collector' : `for ${record.collector}`;
  const effect =
    browser === 'firefox'
      ? 'it will prompt before it reaches this one'
      : 'it will neither reach nor update from this one';
  return [`The packages were made ${packaged}: ${effect}. Package again with --collector ${collector}.`];
}
