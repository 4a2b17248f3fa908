import { Type } from 'typebox';
import { BROWSER_STATES } from '../../../shared/wire/browser-status.ts';
import type {
  FleetDocument,
  FleetLoss,
  FleetSite,
  NotKept,
  SeenBrowser,
} from '../../analysis/documents/fleet-document.ts';
import { Count, orNull, shape, words } from './answer-parts.ts';

const Losses = Type.Array(shape<FleetLoss>({ reason: Type.String(), count: Count, browsers: Count }));
const MaybeCount = orNull(Count);

export const FleetDocumentSchema = Type.Unsafe<FleetDocument>(
  shape<FleetDocument>({
    from: Type.String(),
    to: Type.String(),
    truncated: Type.Boolean(),
    browsers: MaybeCount,
    states: shape<FleetDocument['states']>({ collecting: MaybeCount, degraded: MaybeCount, unknown: MaybeCount }),
    clocksWrong: MaybeCount,
    dropped: Losses,
    rejected: Losses,
    lost: Losses,
    sites: Type.Array(
      shape<FleetSite>({ site: Type.String(), browsers: Count, degraded: MaybeCount, lastAt: Type.String() }),
    ),
    named: orNull(
      Type.Array(
        shape<SeenBrowser>({
          client: Type.String(),
          site: Type.String(),
          browser: Type.String(),
          browserVersion: Type.String(),
          extensionVersion: Type.String(),
          firstAt: Type.String(),
          lastAt: Type.String(),
          clockCorrection: Type.Number(),
          state: orNull(words(BROWSER_STATES)),
          waiting: MaybeCount,
          dropped: MaybeCount,
          lost: MaybeCount,
        }),
      ),
    ),
    notKept: Type.Array(shape<NotKept>({ reason: Type.String(), count: Count })),
  }),
);
