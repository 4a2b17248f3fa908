import { type Static, Type } from 'typebox';
import { BREAK_REASONS } from '../vocabulary/break-reasons.ts';
import { object, orNull, words } from '../vocabulary/json-schema.ts';
import { MAX_JOURNEY_STEPS } from '../vocabulary/wire-limits.ts';

/** Without lone surrogates, which are no text. */
const Text = Type.String({ maxLength: 200, pattern: '^[^\\ud800-\\udfff]*$' });

/** What broke, and the page as it was then: redacted, and short enough for the wire. */
export const BreakageSchema = object({
  step: Type.Integer({ minimum: 1, maximum: MAX_JOURNEY_STEPS }),
  reason: words(BREAK_REASONS),
  /** What was in the way: a browser's code, a status, what covers the element. */
  detail: orNull(Text),
  /** The selectors that were tried. */
  lookedFor: Type.Array(Text, { maxItems: 10 }),
  /** Null if there is no page any more. */
  page: orNull(
    object({
      title: Text,
      /** Origin and path template. */
      url: Text,
      /** Of the last document. */
      status: orNull(Type.Integer({ minimum: 0, maximum: 999 })),
      consoleErrors: Type.Integer({ minimum: 0 }),
      failedRequests: Type.Integer({ minimum: 0 }),
      nearest: Type.Array(object({ role: Text, name: Text }), { maxItems: 10 }),
    }),
  ),
});
export type Breakage = Static<typeof BreakageSchema>;
