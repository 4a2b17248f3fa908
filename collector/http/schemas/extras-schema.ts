import { type TSchema, Type } from 'typebox';
import type { Peak } from '../../../shared/statistics/peaks.ts';
import type { ShareAbove } from '../../../shared/statistics/shares-above.ts';
import type { HandshakeRoundTrips } from '../../analysis/summary/handshake-round-trips.ts';
import { OVERHEAD_REASONS, type Overhead } from '../../analysis/summary/overhead.ts';
import type { ServerShare } from '../../analysis/summary/server-share.ts';
import type { Extra } from '../../analysis/summary/summary-extras.ts';
import { Count, each, Milliseconds, orNull, shape, words } from './answer-parts.ts';

const SERVER_SHARE = {
  n: Count,
  median: orNull(Milliseconds),
  interval: orNull(Type.Array(Milliseconds, { minItems: 2, maxItems: 2 })),
  notMeasurable: orNull(words(['no_samples', 'few_samples', 'interval_contains_zero'])),
} satisfies Record<keyof ServerShare, TSchema>;

export const PeaksSchema = orNull(
  Type.Array(shape<Peak>({ at: Milliseconds, share: Type.Number(), prominence: Type.Number() })),
);
const Added = orNull(Type.Object({ ms: Milliseconds, ratio: orNull(Type.Number()) }, { additionalProperties: false }));
const Cut = Type.Array(
  Type.Object({ name: Type.String(), n: Count, part: Milliseconds }, { additionalProperties: false }),
);

const SCHEMAS: Readonly<Record<Extra, TSchema>> = {
  serverShares: Type.Object(
    {
      meaning: Type.String(),
      onNewConnections: Type.Object(SERVER_SHARE, { additionalProperties: false }),
      onReusedConnections: Type.Object(
        { ...SERVER_SHARE, basis: each(['browser', 'site', 'none'], Count) },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  handshakeRoundTrips: shape<HandshakeRoundTrips>({
    roundTrips: orNull(Type.Number()),
    n: Count,
    reason: orNull(words(['no_tls', 'mixed', 'below_clock_step', 'round_trip_too_short'])),
    meaning: orNull(Type.String()),
  }),
  requestsPerConnection: orNull(Type.Number()),
  sharesAbove: orNull(
    Type.Array(
      shape<ShareAbove>({
        threshold: Milliseconds,
        count: Count,
        range: Type.Array(Count, { minItems: 2, maxItems: 2 }),
        share: Type.Number(),
      }),
    ),
  ),
  peaks: PeaksSchema,
  overheads: Type.Array(
    shape<Overhead>({
      scenario: Type.String(),
      baseline: orNull(Type.String()),
      median: Added,
      mean: Added,
      reason: orNull(words(OVERHEAD_REASONS)),
    }),
  ),
  gapCuts: Type.Object({ hosts: Cut, browsers: orNull(Cut), hours: Cut }, { additionalProperties: false }),
};

/** What `include=` adds to a cell: each only if it was asked for. */
export const EXTRAS_PROPERTIES = Object.fromEntries(
  Object.entries(SCHEMAS).map(([name, schema]) => [name, Type.Optional(schema)]),
);
