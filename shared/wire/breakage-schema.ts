import { Type } from 'typebox';
import { BREAK_REASONS } from '../vocabulary/break-reasons.ts';
import { object, orNull, words } from '../vocabulary/json-schema.ts';
import { MAX_JOURNEY_STEPS } from '../vocabulary/wire-limits.ts';

const Text = Type.String({ maxLength: 200 });

/** A `Breakage` as browsers may report it. */
export const BreakageSchema = object({
  step: Type.Integer({ minimum: 1, maximum: MAX_JOURNEY_STEPS }),
  reason: words(BREAK_REASONS),
  detail: orNull(Text),
  lookedFor: Type.Array(Text, { maxItems: 10 }),
  page: orNull(
    object({
      title: Text,
      url: Text,
      status: orNull(Type.Integer({ minimum: 0, maximum: 999 })),
      consoleErrors: Type.Integer({ minimum: 0 }),
      failedRequests: Type.Integer({ minimum: 0 }),
      nearest: Type.Array(object({ role: Text, name: Text }), { maxItems: 10 }),
    }),
  ),
});
