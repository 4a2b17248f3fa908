import type { FastifyReply } from 'fastify';
import {
  type ExtensionSettings,
  ExtensionSettingsSchema,
  type Settings,
  type TypicalTime,
} from '../../../shared/settings/settings-schema.ts';
import { toExtensionSettings } from '../../../shared/settings/to-extension-settings.ts';
import { readJson } from '../../lib/json-bytes.ts';
import { summary } from '../../questions/summary.ts';
import { SEES_EVERYTHING } from '../../questions/viewer-rule.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import type { Store } from '../../storage/store.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { entityTag, namesTagWeakly } from '../api/entity-tag.ts';
import { route } from '../schemas/common-schemas.ts';

/** Cached until a change: anyone with an ingest key may poll as often as they like. */
interface Made {
  readonly settings: Settings;
  readonly typical: readonly TypicalTime[];
  readonly document: ExtensionSettings;
  readonly tag: string;
}

/** The document that browsers poll; mostly a 304. */
export function extensionSettingsRoute(
  app: TypedApp,
  { store, clock, version }: Pick<AppDeps, 'store' | 'clock' | 'version'>,
): void {
  const typicalTimes = createTypicalTimes(store, version);
  let made: Made | null = null;
  app.get('/api/v1/extension-settings', {
    ...route(['ingest'], 'The part of the settings that browsers need. ETag, If-None-Match.', ExtensionSettingsSchema),
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
      // Without a schema for 304 nothing is serialized: that response has no body, not even `null`.
      if (known !== undefined && namesTagWeakly(known, tag)) return (reply as FastifyReply).code(304).send();
      return reply.send(document);
    },
  });
}

const HOUR_MS = 3_600_000;
/** Times of fewer browsers could reveal one of them. */
const MIN_BROWSERS = 5;
const FIGURES = 2;

/**
 * Typical times for users to compare their own with. Computed once an hour, over full hours and to two significant
 * figures, so that the document's entity tag changes at most once an hour and polling stays cheap. The first poll of an
 * hour starts the work without waiting for it: until it is done, the previous hour's times are returned.
 */
function createTypicalTimes(
  store: Store,
  version: string,
): (now: number, settings: Settings) => readonly TypicalTime[] {
  let known: readonly TypicalTime[] = [];
  let hour = Number.NaN;
  /** The same object until its content changes. */
  let current: { known: typeof known; targets: Settings['targets']; times: typeof known } | null = null;

  async function compute(end: number): Promise<void> {
    const iso = (at: number) => new Date(at).toISOString();
    const query = summary.parse(
      {
        from: iso(end - 24 * HOUR_MS),
        to: iso(end),
        by: 'target,type',
        type: ['document', 'fetch'],
        source: 'page',
        connection: ['new', 'reused'],
      },
      end,
    );
    const { cells } = readJson(await summary.ask({ store, version, viewer: SEES_EVERYTHING }, query));
    known = cells.flatMap(({ target, type, browsers, phases }) => {
      const median = phases.ttlb?.median;
      if (!target || !type || browsers === null || browsers < MIN_BROWSERS || median === undefined || median === null)
        return [];
      return [{ target, type, medianMs: Number(median.toPrecision(FIGURES)), browsers: roughly(browsers) }];
    });
  }

  return (now, { targets }) => {
    const thisHour = Math.floor(now / HOUR_MS) * HOUR_MS;
    if (thisHour !== hour) {
      hour = thisHour;
      compute(thisHour).catch(() => {
        hour = Number.NaN; // the next poll tries again; until then the old times stay
      });
    }
    if (current?.known !== known || current.targets !== targets) {
      const ids = new Set(targets.map(({ id }) => id));
      current = { known, targets, times: known.filter(({ target }) => ids.has(target)) };
    }
    return current.times;
  };
}

/** Exact up to 9, then cut to one significant figure: exact counts would change the document with every new browser. */
function roughly(browsers: number): number {
  const unit = 10 ** Math.floor(Math.log10(browsers));
  return Math.floor(browsers / unit) * unit;
}
