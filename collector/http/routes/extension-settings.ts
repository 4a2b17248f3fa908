import type { FastifyReply } from 'fastify';
import {
  type ExtensionSettings,
  ExtensionSettingsSchema,
  type Settings,
  type TypicalTime,
} from '../../../shared/settings/settings-schema.ts';
import { toExtensionSettings } from '../../../shared/settings/to-extension-settings.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import type { AppDeps } from '../app-deps.ts';
import { entityTag, namesTagWeakly } from '../entity-tag.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';
import { createTypicalTimes } from './extension-settings-typical.ts';

/** Made once for each change: anyone with an ingest key may poll as often as they like. */
interface Made {
  readonly settings: Settings;
  readonly typical: readonly TypicalTime[];
  readonly document: ExtensionSettings;
  readonly tag: string;
}

/** What browsers poll: mostly a 304. */
export function extensionSettingsRoute(
  app: TypedApp,
  { store, clock, version }: Pick<AppDeps, 'store' | 'clock' | 'version'>,
): void {
  const typicalTimes = createTypicalTimes(store, version);
  let made: Made | null = null;
  app.get('/api/v1/extension-settings', {
    config: { allow: ['ingest'] },
    schema: {
      summary: 'What browsers need of the settings. ETag, If-None-Match.',
      response: { 200: ExtensionSettingsSchema, ...ERRORS },
    },
    handler: async (request, reply) => {
      const { settings, revision } = await currentSettings(store.settings);
      const typical = typicalTimes(clock(), settings);
      if (made?.settings !== settings || made.typical !== typical) {
        const document = toExtensionSettings(settings, revision, typical);
        made = { settings, typical, document, tag: entityTag(document) };
      }
      const { document, tag } = made;
      reply.headers({ etag: tag, 'cache-control': 'no-cache' });
      const known = request.headers['if-none-match'];
      // Without a schema for 304 nothing is serialized: that answer has no body, not even `null`.
      if (known !== undefined && namesTagWeakly(known, tag)) return (reply as FastifyReply).code(304).send();
      return reply.send(document);
    },
  });
}
