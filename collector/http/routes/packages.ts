import { basename, dirname, join } from 'node:path';
import { CommandFailure } from '../../lib/failure.ts';
import { quoted } from '../../lib/quoted.ts';
import { missingHosts } from '../../rollout/package/needed-hosts.ts';
import { PACKAGES_FOLDER, readPackagesRecord } from '../../rollout/package/packages-record.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { route } from '../schemas/common-schemas.ts';
import { PackagesSchema } from '../schemas/control-answers.ts';

/** Whether the packages suit the settings, for admins. */
export function packagesRoute(
  app: TypedApp,
  { store, packagesFolder, program = 'lastbyte' }: Pick<AppDeps, 'store' | 'packagesFolder' | 'program'>,
) {
  app.get('/api/v1/packages', {
    ...route(['admin'], 'What was packaged, and which hosts of the settings that lacks.', PackagesSchema),
    handler: async (request) => {
      const record = packagesFolder === undefined ? null : await readPackagesRecord(packagesFolder).catch(asHttpError);
      const { settings } = await currentSettings(store.settings);
      const collector = record?.collector ?? `${request.protocol}://${request.host}`;
      return {
        packaged: record === null ? null : { version: record.version, holdsKey: record.holdsKey },
        missing: missingHosts(settings, record?.hostPermissions ?? []),
        command: `${program} package --collector ${collector}${folderOption(packagesFolder)}`,
      };
    },
  });
}

function asHttpError(error: unknown): never {
  if (error instanceof CommandFailure) throw new HttpError('internal_error', error.message, error.hint);
  throw error;
}

/** What a command needs to find the settings and the folder of the packages of this server. */
function folderOption(folder: string | undefined): string {
  if (folder === undefined || folder === join('data', PACKAGES_FOLDER)) return '';
  return basename(folder) === PACKAGES_FOLDER ? ` --data ${quoted(dirname(folder))}` : ` --out ${quoted(folder)}`;
}
