import { Type } from 'typebox';
import { EMPTY_SETTINGS, SettingsSchema } from '../../../shared/settings/settings-schema.ts';
import { MAX_SETTINGS_BYTES, validateNewSettings } from '../../../shared/settings/validate-settings.ts';
import { object } from '../../../shared/vocabulary/json-schema.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import type { StoredSettings } from '../../storage/store.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { entityTag, namesTagStrongly } from '../api/entity-tag.ts';
import { HttpError } from '../api/errors.ts';
import { nameOfToken } from '../auth/token-name.ts';
import { route, SettingsProblemSchema, toMoment } from '../schemas/common-schemas.ts';
import { REVISION, RevisionsSchema } from '../schemas/control-answers.ts';

const PATH = '/api/v1/settings';

export function settingsRoutes(app: TypedApp, { store, clock }: Pick<AppDeps, 'store' | 'clock'>): void {
  app.get(PATH, {
    ...route(['read', 'admin'], 'The current settings. ETag identifies their revision.', SettingsSchema),
    handler: async (_request, reply) => {
      const { document, revision } = await currentSettings(store.settings);
      reply.headers({ etag: entityTag({ revision, settings: document }), 'cache-control': 'no-cache' });
      return document;
    },
  });

  app.put(PATH, {
    ...route(['admin'], 'Apply settings. With If-Match: 412 if they have changed in the meantime.', SettingsSchema, {
      body: SettingsSchema,
      example: {
        version: 1,
        targets: [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }],
        alerts: {
          webhooks: [{ id: 'chat', urlFrom: { env: 'LASTBYTE_SECRET_CHAT_URL' } }],
          rules: [{ id: 'slow-erp', target: 'erp', type: 'document', statistic: 'p95', aboveMs: 1500 }],
        },
      },
    }),
    bodyLimit: MAX_SETTINGS_BYTES,
    // validateNewSettings reports every problem with its path, including those that a schema can't express.
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
        nameOfToken(request.token),
      );
      if (written === null) throw changedMeanwhile();
      reply.headers({ etag: tagOf(written), 'cache-control': 'no-cache' });
      return verdict.settings;
    },
  });
}

/** The tag of the stored document, even if invalid here: one written by another version can still be replaced. */
function tagOf(stored: StoredSettings | null): string {
  return entityTag({ revision: stored?.revision ?? 0, settings: stored?.document ?? EMPTY_SETTINGS });
}

function changedMeanwhile(): HttpError {
  return new HttpError(
    'precondition_failed',
    'the settings have changed in the meantime',
    'Read them again, apply your change to the latest, and send it with its ETag as If-Match.',
  );
}

/** More than anyone would look through. */
const MAX_REVISIONS = 200;

const WholeRevisionSchema = object({ revision: REVISION.revision, at: REVISION.at, document: Type.Unknown() });
const VerdictSchema = object({
  ok: Type.Boolean(),
  problems: Type.Array(SettingsProblemSchema),
});

/** Past revisions with their authors, and a check of a document without applying it. */
export function settingsHistoryRoutes(app: TypedApp, { store }: Pick<AppDeps, 'store'>): void {
  app.get('/api/v1/settings/revisions', {
    ...route(['read', 'admin'], 'Who changed the settings, and when.', RevisionsSchema),
    handler: async () => {
      const revisions = await store.settings.history(MAX_REVISIONS);
      return { revisions: revisions.map(({ at, ...rest }) => ({ ...rest, at: toMoment(at) })) };
    },
  });

  app.get('/api/v1/settings/revisions/:revision', {
    ...route(['read', 'admin'], 'The settings as they were.', WholeRevisionSchema, {
      params: Type.Object({ revision: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) }),
    }),
    handler: async (request) => {
      const found = await store.settings.readRevision(Number(request.params.revision));
      if (found === null) {
        throw new HttpError(
          'not_found',
          `there is no revision ${request.params.revision}`,
          'Use one listed by /api/v1/settings/revisions.',
        );
      }
      // As written: a document of an older version may be invalid here, and is shown nevertheless.
      return { revision: found.revision, at: toMoment(found.at), document: found.document };
    },
  });

  app.post('/api/v1/settings/check', {
    ...route(['admin'], 'Check settings without applying them.', VerdictSchema, {
      example: { version: 1, targets: [] },
      body: Type.Unknown(),
    }),
    bodyLimit: MAX_SETTINGS_BYTES,
    handler: async (request) => {
      const verdict = validateNewSettings(request.body);
      return { ok: verdict.ok, problems: verdict.ok ? [] : [...verdict.problems] };
    },
  });
}
