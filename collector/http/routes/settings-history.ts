import { Type } from 'typebox';
import { validateNewSettings } from '../../../shared/settings/validate-new-settings.ts';
import { MAX_SETTINGS_BYTES } from '../../../shared/settings/validate-settings.ts';
import type { AppDeps } from '../app-deps.ts';
import { HttpError } from '../errors.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';

/** As many as anybody would look through. */
const MAX_REVISIONS = 200;

const REVISION = {
  revision: Type.Integer({ minimum: 1 }),
  /** RFC 3339. */
  at: Type.String(),
  /** The label of the token that wrote it, or `command line`; empty where it was not kept. */
  author: Type.String(),
};
const RevisionSchema = Type.Object(REVISION, { additionalProperties: false });
const WholeRevisionSchema = Type.Object(
  { revision: REVISION.revision, at: REVISION.at, document: Type.Unknown() },
  { additionalProperties: false },
);
const VerdictSchema = Type.Object(
  {
    ok: Type.Boolean(),
    problems: Type.Array(
      Type.Object(
        { path: Type.String(), message: Type.String(), hint: Type.String() },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

/** What the settings were, who wrote them, and what would be wrong with a document, without putting it in force. */
export function settingsHistoryRoutes(app: TypedApp, { store }: Pick<AppDeps, 'store'>): void {
  app.get('/api/v1/settings/revisions', {
    config: { allow: ['read', 'admin'] },
    schema: {
      summary: 'Who changed the settings, and when.',
      response: {
        200: Type.Object({ revisions: Type.Array(RevisionSchema) }, { additionalProperties: false }),
        ...ERRORS,
      },
    },
    handler: async () => {
      const revisions = await store.settings.history(MAX_REVISIONS);
      return { revisions: revisions.map(({ at, ...rest }) => ({ ...rest, at: new Date(at).toISOString() })) };
    },
  });

  app.get('/api/v1/settings/revisions/:revision', {
    config: { allow: ['read', 'admin'] },
    schema: {
      summary: 'The settings as they were.',
      params: Type.Object({ revision: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) }),
      response: { 200: WholeRevisionSchema, ...ERRORS },
    },
    handler: async (request) => {
      const found = await store.settings.readRevision(Number(request.params.revision));
      if (found === null) {
        throw new HttpError(
          'not_found',
          `there is no revision ${request.params.revision}`,
          'Take one that /api/v1/settings/revisions lists.',
        );
      }
      // As it was written: a document of an older version may not be valid here, and is shown all the same.
      return { revision: found.revision, at: new Date(found.at).toISOString(), document: found.document };
    },
  });

  app.post('/api/v1/settings/check', {
    config: { allow: ['admin'] },
    bodyLimit: MAX_SETTINGS_BYTES,
    schema: {
      summary: 'Check settings without putting them in force.',
      example: { version: 1, targets: [] },
      body: Type.Unknown(),
      response: { 200: VerdictSchema, ...ERRORS },
    },
    handler: async (request) => {
      const verdict = validateNewSettings(request.body);
      return { ok: verdict.ok, problems: verdict.ok ? [] : [...verdict.problems] };
    },
  });
}
