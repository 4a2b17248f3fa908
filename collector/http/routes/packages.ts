import { basename, dirname, join } from 'node:path';
import { Type } from 'typebox';
import { object, orNull } from '../../../shared/vocabulary/json-schema.ts';
import { CommandFailure } from '../../lib/failure.ts';
import { quoted } from '../../lib/quoted.ts';
import { missingHosts } from '../../rollout/package/needed-hosts.ts';
import { PACKAGES_FOLDER, readPackagesRecord } from '../../rollout/package/packages-record.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { route } from '../schemas/common-schemas.ts';

const PackagesSchema = object({
  /** Null if nothing has been packaged. */
  packaged: orNull(object({ version: Type.String(), holdsKey: Type.Boolean() })),
  /** Host permissions that the settings need and the packages lack. */
  missing: Type.Array(Type.String()),
  /** Makes packages for the settings; to run on the collector's machine. */
  command: Type.String(),
});

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
