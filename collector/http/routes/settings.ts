import { SettingsSchema } from '../../../shared/settings/settings-schema.ts';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';
import { currentSettings } from '../../store/current-settings.ts';
import type { AppDeps } from '../app-deps.ts';
import { entityTag, namesTag } from '../entity-tag.ts';
import { HttpError } from '../errors.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';

const PATH = '/api/v1/settings';
const RESPONSE = { 200: SettingsSchema, ...ERRORS };

export function settingsRoutes(app: TypedApp, { store, clock }: Pick<AppDeps, 'store' | 'clock'>): void {
  app.get(PATH, {
    config: { allow: ['read', 'admin'] },
    schema: { response: RESPONSE },
    handler: async (_request, reply) => {
      const { settings, revision } = await currentSettings(store.settings);
      reply.headers({ etag: entityTag(revision), 'cache-control': 'no-cache' });
      return settings;
    },
  });

  app.put(PATH, {
    config: { allow: ['admin'] },
    schema: { body: SettingsSchema, response: RESPONSE },
    // validateSettings names every problem and its place, and knows what a schema can't say.
    validatorCompiler: () => () => true,
    handler: async (request, reply) => {
      const verdict = validateSettings(request.body);
      if (!verdict.ok) {
        const first = verdict.problems[0] ?? { path: '', message: 'not a settings document', hint: '' };
        const place = first.path === '' ? '' : `${first.path}: `;
        throw new HttpError('invalid_settings', `${place}${first.message}`, first.hint, {
          problems: verdict.problems,
        });
      }
      const newest = (await store.settings.read())?.revision ?? null;
      const condition = request.headers['if-match'];
      if (condition !== undefined && !namesTag(condition, entityTag(newest ?? 0))) throw changedMeanwhile();
      const written = await store.settings.write(verdict.settings, newest, clock());
      if (written === null) throw changedMeanwhile();
      reply.headers({ etag: entityTag(written.revision), 'cache-control': 'no-cache' });
      return verdict.settings;
    },
  });
}

function changedMeanwhile(): HttpError {
  return new HttpError(
    'precondition_failed',
    'the settings were changed meanwhile',
    'Read them again, make your change to the newest, and send that with its ETag as If-Match.',
  );
}
