import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import { MAX_SITE_LENGTH } from '../../../shared/vocabulary/client-fields.ts';
import { object, words } from '../../../shared/vocabulary/json-schema.ts';
import { PLAIN_TEXT } from '../../../shared/vocabulary/plain-text.ts';
import { CommandFailure } from '../../lib/failure.ts';
import { collectorAddress } from '../../rollout/package/check-enrolment.ts';
import { missingHosts } from '../../rollout/package/needed-hosts.ts';
import { packageAgain } from '../../rollout/package/package-settings.ts';
import { readPackagesRecord } from '../../rollout/package/packages-record.ts';
import { SIGNING_KEY_FILE } from '../../rollout/package/signing-key.ts';
import { policyPlaces, policyText } from '../../rollout/policy/policy-text.ts';
import { ownSource, POLICY_BROWSERS, POLICY_FORMATS, type PolicyFormat } from '../../rollout/policy/roll-out.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { type ErrorCode, HttpError } from '../api/errors.ts';
import { hashToken } from '../auth/token-text.ts';
import { route } from '../schemas/common-schemas.ts';
import { type PackagesAnswer, PackagesSchema, PolicySchema } from '../schemas/control-answers.ts';

const MAX_ADDRESS_LENGTH = 2000;
const MAX_KEY_LENGTH = 200;

const EXTENSIONS: Readonly<Partial<Record<PolicyFormat, string>>> = { reg: 'reg', plist: 'mobileconfig' };

type Deps = Pick<AppDeps, 'store' | 'packagesFolder' | 'signingKeyFile' | 'extensionFolder'>;

/** Packages and policies, for admins: `lastbyte package` and `lastbyte policy` for the dashboard. */
export function packagesRoutes(app: TypedApp, { store, packagesFolder: out, extensionFolder, ...deps }: Deps): void {
  const signingKeyFile = deps.signingKeyFile ?? join(dirname(out ?? '.'), SIGNING_KEY_FILE);
  const readRecord = () => attempt('packaging_failed', () => (out === undefined ? null : readPackagesRecord(out)));

  async function describe(): Promise<PackagesAnswer> {
    const record = await readRecord();
    const { settings } = await currentSettings(store.settings);
    return {
      packaged: record && { version: record.version, collector: record.collector, signingKey: signingKeyFile },
      missing: missingHosts(settings, record?.hostPermissions ?? []),
    };
  }

  async function make(address: string, allowHttp: boolean): Promise<void> {
    if (out === undefined) {
      throw new HttpError('not_found', 'this collector offers no packages', 'Use lastbyte package.');
    }
    const collector = await attempt('invalid_address', () => collectorAddress(address, { allowHttp }));
    const { settings } = await currentSettings(store.settings);
    if (settings.targets.length === 0) {
      throw new HttpError('nothing_to_package', 'the settings have no app', 'Choose one first.');
    }
    const packaging = { settings, out, signingKeyFile, source: extensionFolder, collector };
    await attempt('packaging_failed', () => packageAgain(packaging));
  }

  app.get('/api/v1/packages', {
    ...route(['admin'], 'What was packaged, and which hosts of the settings that lacks.', PackagesSchema),
    handler: describe,
  });

  /** One at a time, because all write the same files. */
  let last: Promise<unknown> = Promise.resolve();
  app.post('/api/v1/packages', {
    ...route(['admin'], 'Package the extension for the settings in force.', PackagesSchema, {
      example: { collector: 'https://lastbyte.example.com' },
      body: object({
        collector: Type.String({ maxLength: MAX_ADDRESS_LENGTH, description: 'Its address for browsers.' }),
        allowHttp: Type.Optional(Type.Boolean({ description: 'It may be http:// beyond this machine.' })),
      }),
    }),
    handler: async ({ body }) => {
      const made = last.then(() => make(body.collector, body.allowHttp ?? false));
      // A failed run must not fail the next one; its own request reports the error.
      last = made.catch(() => undefined);
      await made;
      return describe();
    },
  });

  app.post('/api/v1/policies', {
    ...route(
      ['admin'],
      'A policy that installs the packages and enrols browsers. Its key is not stored.',
      PolicySchema,
      {
        example: { browser: 'chrome', format: 'json', key: 'lb_ingest_…', site: 'Berlin' },
        body: object({
          browser: words(POLICY_BROWSERS),
          format: words(POLICY_FORMATS),
          key: Type.String({ maxLength: MAX_KEY_LENGTH }),
          site: Type.Optional(Type.String({ maxLength: MAX_SITE_LENGTH, pattern: PLAIN_TEXT })),
          share: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 100, description: 'Percentage of the browsers that begin.' }),
          ),
          allowUnsigned: Type.Optional(Type.Boolean({ description: 'Firefox ESR takes it without a signature.' })),
        }),
      },
    ),
    handler: async ({ body: { browser, format, key, site = '', share, allowUnsigned = false } }) => {
      const record = await readRecord();
      if (record === null || record.collector === null) {
        const message = record === null ? 'nothing has been packaged yet' : 'the packages do not know their collector';
        throw new HttpError('not_packaged', message, 'Package now, with the address of this collector.');
      }
      if ((await store.tokens.findByHash(hashToken(key)))?.role !== 'ingest') {
        const hint = 'Create a key for browsers, and copy it completely.';
        throw new HttpError('invalid_key', 'this is no key that browsers can send with', hint);
      }
      const { collector } = record;
      const managed = { collector, key, ...(site === '' ? {} : { site }), ...(share === undefined ? {} : { share }) };
      const rollOut = { ...ownSource(browser, record, collector), managed, allowUnsigned };
      return {
        file: `lastbyte-${browser}.${EXTENSIONS[format] ?? 'json'}`,
        text: await attempt('invalid_request', () => policyText(browser, format, rollOut)),
        places: [...policyPlaces(browser, format)],
      };
    },
  });
}

/** Refuses with this code what the command would refuse. */
async function attempt<Result>(code: ErrorCode, act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof CommandFailure ? new HttpError(code, error.message, error.hint) : error;
  }
}
