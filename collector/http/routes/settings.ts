import { EMPTY_SETTINGS, SettingsSchema } from '../../../shared/settings/settings-schema.ts';
import { validateNewSettings } from '../../../shared/settings/validate-new-settings.ts';
import { MAX_SETTINGS_BYTES } from '../../../shared/settings/validate-settings.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import type { StoredSettings, StoredToken } from '../../storage/store.ts';
import type { AppDeps } from '../app-deps.ts';
import { entityTag, namesTagStrongly } from '../entity-tag.ts';
import { HttpError } from '../errors.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';

const PATH = '/api/v1/settings';
const RESPONSE = { 200: SettingsSchema, ...ERRORS };

export function settingsRoutes(app: TypedApp, { store, clock }: Pick<AppDeps, 'store' | 'clock'>): void {
  app.get(PATH, {
    config: { allow: ['read', 'admin'] },
    schema: { summary: 'The settings in force. ETag names their revision.', response: RESPONSE },
    handler: async (_request, reply) => {
      const { settings, revision } = await currentSettings(store.settings);
      reply.headers({ etag: entityTag({ revision, settings }), 'cache-control': 'no-cache' });
      return settings;
    },
  });

  app.put(PATH, {
    config: { allow: ['admin'] },
    bodyLimit: MAX_SETTINGS_BYTES,
    schema: {
      summary: 'Put settings in force. With If-Match: 412 if they were changed meanwhile.',
      body: SettingsSchema,
      example: {
        version: 1,
        targets: [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }],
        alerts: {
          webhooks: [{ id: 'chat', urlFrom: { env: 'LASTBYTE_SECRET_CHAT_URL' } }],
          rules: [{ id: 'slow-erp', target: 'erp', type: 'document', statistic: 'p95', aboveMs: 1500 }],
        },
      },
      response: RESPONSE,
    },
    // validateNewSettings names every problem and its place, and knows what a schema can't say.
    validatorCompiler: () => () => true,
    handler: async (request, reply) => {
      const verdict = validateNewSettings(request.body);
      if (!verdict.ok) {
        const first = verdict.problems[0] ?? { path: '', message: 'not a settings document', hint: '' };
        const place = first.path === '' ? '' : `${first.path}: `;
        throw new HttpError('invalid_settings', `${place}${first.message}`, first.hint, {
          problems: verdict.problems,
        });
      }
      const newest = await store.settings.read();
      const condition = request.headers['if-match'];
      if (condition !== undefined && !namesTagStrongly(condition, tagOf(newest))) throw changedMeanwhile();
      const written = await store.settings.write(
        verdict.settings,
        newest?.revision ?? null,
        clock(),
        nameOf(request.token),
      );
      if (written === null) throw changedMeanwhile();
      reply.headers({ etag: tagOf(written), 'cache-control': 'no-cache' });
      return verdict.settings;
    },
  });
}

/** Whom the history names: the label that the token was made with. */
function nameOf(token: StoredToken | null): string {
  return token === null ? '' : token.label || `${token.role} token`;
}

/** The tag of what is stored, valid here or not: a document of another version can still be replaced. */
function tagOf(stored: StoredSettings | null): string {
  return entityTag({ revision: stored?.revision ?? 0, settings: stored?.document ?? EMPTY_SETTINGS });
}

function changedMeanwhile(): HttpError {
  return new HttpError(
    'precondition_failed',
    'the settings were changed meanwhile',
    'Read them again, make your change to the newest, and send that with its ETag as If-Match.',
  );
}
