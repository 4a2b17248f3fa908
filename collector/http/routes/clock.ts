import { Type } from 'typebox';
import type { AppDeps } from '../app-deps.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';

const ClockSchema = Type.Object(
  {
    now: Type.String({ description: 'What the collector’s clock says, RFC 3339.' }),
    expected: Type.Union([Type.String(), Type.Null()], {
      description: 'What it should have said when it was last looked at in doubt; null while it is believed.',
    }),
  },
  { additionalProperties: false },
);

/** `GET /api/v1/clock`: whether the clock is trusted. The dashboard shows admins a banner while it is not. */
export function clockRoute(app: TypedApp, { store }: Pick<AppDeps, 'store'>): void {
  app.get('/api/v1/clock', {
    config: { allow: ['admin'] },
    schema: { summary: 'Whether the collector believes its clock.', response: { 200: ClockSchema, ...ERRORS } },
    handler: async () => {
      const { now, doubt } = await store.clock.status();
      const text = (time: number) => new Date(time).toISOString();
      return { now: text(now), expected: doubt === null ? null : text(doubt.expected) };
    },
  });
}
