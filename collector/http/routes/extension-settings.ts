import { Type } from 'typebox';
import { ExtensionSettingsSchema } from '../../../shared/settings/settings-schema.ts';
import { toExtensionSettings } from '../../../shared/settings/to-extension-settings.ts';
import { currentSettings } from '../../store/current-settings.ts';
import type { AppDeps } from '../app-deps.ts';
import { entityTag, namesTag } from '../entity-tag.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';

/** What browsers poll: mostly a 304. */
export function extensionSettingsRoute(app: TypedApp, { store }: Pick<AppDeps, 'store'>): void {
  app.get('/api/v1/extension-settings', {
    config: { allow: ['ingest'] },
    schema: { response: { 200: ExtensionSettingsSchema, 304: Type.Null(), ...ERRORS } },
    handler: async (request, reply) => {
      const { settings, revision } = await currentSettings(store.settings);
      const tag = entityTag(revision);
      reply.headers({ etag: tag, 'cache-control': 'no-cache' });
      const known = request.headers['if-none-match'];
      if (known !== undefined && namesTag(known, tag)) return reply.code(304).send(null);
      return reply.send(toExtensionSettings(settings, revision));
    },
  });
}
