import { type TSchema, Type } from 'typebox';

/**
 * HAR 1.2 written down from http://www.softwareishard.com/blog/har-12-spec/. Names that begin with an underscore are
 * allowed everywhere, as the specification has it; any other name that is not in it is a fault.
 */
const Moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$' });
const Whole = Type.Integer({ minimum: -1 });
const Timing = Type.Number({ minimum: 0 });
/** −1 where the timing does not apply: only of these the specification says so. */
const OptionalTiming = Type.Number({ minimum: -1 });
const Pairs = Type.Array(har({ name: Type.String(), value: Type.String() }, ['comment']));

export const HarSchema = har({
  log: har(
    {
      version: Type.Literal('1.2'),
      creator: har({ name: Type.String({ minLength: 1 }), version: Type.String() }, ['comment']),
      pages: Type.Array(
        har({
          startedDateTime: Moment,
          id: Type.String({ minLength: 1 }),
          title: Type.String(),
          pageTimings: har({}, ['comment']),
        }),
      ),
      entries: Type.Array(
        har(
          {
            startedDateTime: Moment,
            time: Type.Number({ minimum: 0 }),
            request: har({
              method: Type.String({ minLength: 1 }),
              // An absolute URI of RFC 3986: no brace, no space, no fragment.
              url: Type.String({ pattern: "^https?://[A-Za-z0-9.:\\[\\]-]+/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*$" }),
              httpVersion: Type.String(),
              cookies: Pairs,
              headers: Pairs,
              queryString: Pairs,
              headersSize: Whole,
              bodySize: Whole,
            }),
            response: har({
              status: Type.Integer({ minimum: 0, maximum: 599 }),
              statusText: Type.String(),
              httpVersion: Type.String(),
              cookies: Pairs,
              headers: Pairs,
              content: har({ size: Type.Integer({ minimum: 0 }), mimeType: Type.String() }, ['comment']),
              redirectURL: Type.String(),
              headersSize: Whole,
              bodySize: Whole,
            }),
            cache: har({}, ['comment']),
            timings: har(
              {
                blocked: OptionalTiming,
                dns: OptionalTiming,
                connect: OptionalTiming,
                send: Timing,
                wait: Timing,
                receive: Timing,
                ssl: OptionalTiming,
              },
              ['comment'],
            ),
          },
          ['pageref', 'serverIPAddress', 'connection', 'comment'],
        ),
      ),
    },
    ['comment'],
  ),
});

function har(required: Record<string, TSchema>, optionalTexts: readonly string[] = []) {
  const optional = Object.fromEntries(optionalTexts.map((name) => [name, Type.Optional(Type.String())]));
  return Type.Unsafe<unknown>({
    ...Type.Object({ ...required, ...optional }, { additionalProperties: false }),
    patternProperties: { '^_': {} },
  });
}
