import { type Static, Type } from 'typebox';
import { type Recording, RecordingHead } from '../journeys/recording.ts';
import { MAX_REQUESTS_PER_HOUR } from '../probes/probe-budget.ts';
import { object, words } from '../vocabulary/json-schema.ts';

const StepSchema = object({
  url: Type.String({ minLength: 8, maxLength: 2000 }),
  method: Type.Optional(words(['GET', 'HEAD'])),
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 299 })),
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  thresholdMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000 })),
});
export type ProbeStep = Static<typeof StepSchema>;

const ProbeSchema = object({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$', description: 'Short id, sent to the server in a header.' }),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'For people; without it, they see the id.' }),
  ),
  target: Type.String({ description: 'Id of the target that the samples belong to.' }),
  url: Type.Optional(
    Type.String({ minLength: 8, maxLength: 2000, description: 'The resource of a probe sequence, http or https.' }),
  ),
  otherUrl: Type.Optional(
    Type.String({ minLength: 8, maxLength: 2000, description: 'The same resource over the other scheme.' }),
  ),
  steps: Type.Optional(Type.Array(StepSchema, { minItems: 1, maxItems: 20 })),
  recording: Type.Optional(
    Type.Unsafe<Recording>({
      ...RecordingHead,
      description: 'A recording of Chrome DevTools, exported as JSON. Only robots replay it: docs/journeys.md.',
    }),
  ),
  everyMinutes: Type.Integer({ minimum: 1, maximum: 1440 }),
  repetitions: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
  share: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'Share of the browsers that run it.' }),
  ),
  sites: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
  onlyWhenIdle: Type.Optional(Type.Boolean()),
  onlyOnPower: Type.Optional(
    Type.Boolean({
      description: 'Not on battery. A browser that cannot determine it, such as Firefox, does not run it.',
    }),
  ),
  wildcard: Type.Optional(Type.Boolean()),
  idleWaitSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
  cookies: Type.Optional(Type.Boolean()),
});
export type ScheduledProbe = Static<typeof ProbeSchema>;
/** One that a robot replays. */
export type ScheduledJourney = ScheduledProbe & Required<Pick<ScheduledProbe, 'recording'>>;

export const ProbesSchema = object({
  enabled: Type.Boolean({ description: 'False stops all probes within one poll of the settings.' }),
  requestsPerHour: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_REQUESTS_PER_HOUR })),
  schedule: Type.Array(ProbeSchema, { maxItems: 50 }),
});
/** Probes with a recording are apart from the others, since an older extension would refuse the settings for them. */
export const ExtensionProbesSchema = object({
  ...ProbesSchema.properties,
  journeys: Type.Optional(Type.Array(ProbeSchema, { maxItems: 50 })),
});
export type ExtensionProbes = Static<typeof ExtensionProbesSchema>;
export type ProbeSettings = Static<typeof ProbesSchema>;
