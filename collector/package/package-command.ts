import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { hostPatterns } from '../../shared/probe/host-patterns.ts';
import { BROWSER_ENGINES } from '../browser/find-browser.ts';
import { CommandFailure, UsageFailure } from '../cli/failure.ts';
import { note, printJson } from '../cli/print.ts';
import { readSettingsFile } from '../cli/read-settings-file.ts';
import { type PackagedEnrolment, packageExtension } from './package-extension.ts';

interface PackageCommandOptions {
  readonly targets: string;
  readonly out: string;
  readonly collector?: string;
  readonly key?: string;
  readonly site: string;
  readonly json?: boolean;
}

const KEY_VARIABLE = 'LASTBYTE_INGEST_KEY';

export function packageCommand(): Command {
  return new Command('package')
    .description('make the extension for your apps: permitted to measure them, and nothing else, without a question')
    .requiredOption('--targets <file>', 'settings document whose targets it may measure; - reads standard input')
    .requiredOption('--out <dir>', 'folder to write chromium/ and firefox/ into')
    .option('--collector <url>', 'where it sends its samples; else a policy or the user says it')
    .option('--key <key>', `ingest key, also read from ${KEY_VARIABLE}`)
    .option('--site <label>', 'label of where these browsers stand', '')
    .option('--json', 'print {packages:[{engine, path, hostPermissions}]}')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte package --targets settings.json --collector https://lastbyte.example.com --key lb_ingest_… --out packages',
    )
    .action(async (options: PackageCommandOptions) => {
      const enrolment = enrolmentOf(options);
      const { targets, probes } = await readSettingsFile(options.targets);
      const measured = [...targets, { match: probes?.schedule.flatMap(hostPatterns) ?? [] }];
      const source = await builtExtension();
      const packages = await Promise.all(
        BROWSER_ENGINES.map(async (engine) => {
          const path = join(options.out, engine);
          return {
            engine,
            path,
            hostPermissions: await packageExtension({ source, engine, targets: measured, enrolment, out: path }),
          };
        }),
      );
      if (options.json) printJson({ packages });
      else note(...packages.map(({ engine, path }) => `${engine}: ${path}`));
    });
}

function enrolmentOf({
  collector,
  key = process.env[KEY_VARIABLE],
  site,
}: PackageCommandOptions): PackagedEnrolment | null {
  if (collector === undefined) return null;
  if (!URL.canParse(collector) || !/^https?:$/.test(new URL(collector).protocol)) {
    throw new UsageFailure(`${collector} is not an address`, 'Give --collector as https://host or http://host:port.');
  }
  if (!key)
    throw new UsageFailure(
      '--collector needs a key',
      `Give --key or ${KEY_VARIABLE}; lastbyte token create --role ingest makes one.`,
    );
  return { collector, key, site };
}

/** Beside the built command. */
async function builtExtension(): Promise<string> {
  const folder = fileURLToPath(new URL('./extension', import.meta.url));
  await access(folder).catch(() => {
    throw new CommandFailure(`${folder} is not there`, 'Build it with npm run build.');
  });
  return folder;
}
