import { Type } from 'typebox';
import { SCENARIOS } from '../../../shared/vocabulary/vocabulary.ts';
import type { ProbesDocument } from '../../analysis/documents/answers.ts';
import type { LadderRatio } from '../../analysis/probes/ladder-ratios.ts';
import type {
  Availability,
  AvailabilityRow,
  PathScenario,
  PathUsers,
  ProbePath,
} from '../../analysis/probes/probe-results.ts';
import { OVERHEAD_REASONS } from '../../analysis/summary/overhead.ts';
import { Count, Counts, each, Milliseconds, orNull, shape, TimeStatisticsSchema, words } from './answer-parts.ts';
import { ReportSchema } from './answer-schemas.ts';

const MaybeText = orNull(Type.String());
const Added = orNull(each(['ms', 'ratio'], orNull(Type.Number())));

const PathSchema = shape<ProbePath>({
  target: Type.String(),
  site: MaybeText,
  host: Type.String(),
  scenarios: Type.Array(
    shape<PathScenario>({
      scenario: words(SCENARIOS),
      methods: Type.Array(Type.String()),
      runs: Count,
      kept: Count,
      browsers: Count,
      discarded: Counts,
      unavailable: Counts,
      probes: orNull(TimeStatisticsSchema),
      users: orNull(TimeStatisticsSchema),
    }),
  ),
  ratios: Type.Array(
    shape<LadderRatio>({
      scenario: Type.String(),
      baseline: MaybeText,
      median: Added,
      mean: Added,
      reason: orNull(words(OVERHEAD_REASONS)),
      medianInterval: orNull(Type.Array(Milliseconds, { minItems: 2, maxItems: 2 })),
    }),
  ),
  users: shape<PathUsers>({ requests: Count, reuse: orNull(Type.Number({ minimum: 0, maximum: 1 })) }),
  sentence: Type.String(),
});

const AvailabilitySchema = shape<Availability>({
  stepSeconds: Count,
  steps: Type.Array(Type.Number()),
  rows: Type.Array(
    shape<AvailabilityRow>({
      target: Type.String(),
      site: MaybeText,
      host: Type.String(),
      cells: Type.Array(orNull(each(['up', 'down'], Count))),
    }),
  ),
});

// ReportSchema is an object, wrapped for its type.
const { method, view } = (ReportSchema as unknown as { properties: Record<'method' | 'view', never> }).properties;
export const ProbesDocumentSchema = Type.Unsafe<ProbesDocument>(
  shape<ProbesDocument>({
    method,
    view,
    paths: Type.Array(PathSchema),
    availability: AvailabilitySchema,
    turns: shape<ProbesDocument['turns']>({ run: orNull(Count), skipped: Counts }),
  }),
);
