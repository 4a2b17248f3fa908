import { Type } from 'typebox';
import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';
import { SUMMARY_TIMES } from '../../../shared/vocabulary/time-names.ts';
import {
  type Gap,
  type SummaryCell,
  type SummaryDocument,
  VERDICTS,
  type Verdict,
} from '../../analysis/summary/summary-document.ts';
import type { Extra } from '../../analysis/summary/summary-extras.ts';
import {
  Count,
  Counts,
  EvidenceSchema,
  each,
  KEY,
  MethodSchema,
  Milliseconds,
  orNull,
  shape,
  TimeStatisticsSchema,
  words,
} from './answer-parts.ts';
import { EXTRAS_PROPERTIES } from './extras-schema.ts';

const GapSchema = shape<Gap>({
  n: Count,
  median: Milliseconds,
  mean: Milliseconds,
  gap: Milliseconds,
  setup: Milliseconds,
  tail: Milliseconds,
  tailSamples: Count,
  tailPhase: orNull(words(['blocked', 'wait', 'receive'])),
  spread: Milliseconds,
  setupUnknown: Count,
});

const VerdictSchema = shape<Verdict>({
  verdict: words(VERDICTS),
  reason: orNull(words(['no_samples', 'no_round_trip', 'no_leader'])),
  shares: orNull(each(['tls', 'network', 'server', 'download', 'client'], orNull(Type.Number()))),
  coverage: Type.Number({ minimum: 0, maximum: 1 }),
  n: Count,
});

const SETUP_PHASES = ['dns', 'tcp', 'tls'];
const CELL = shape<Omit<SummaryCell, keyof CellKey | Extra>>({
  samples: Count,
  browsers: orNull(Count),
  evidence: EvidenceSchema,
  connections: Counts,
  status: Counts,
  phases: each(SUMMARY_TIMES, orNull(TimeStatisticsSchema)),
  unknown: Type.Record(Type.String(), Counts),
  setup: each(['perConnection', 'perRequest'], orNull(TimeStatisticsSchema)),
  perRequest: each(SETUP_PHASES, orNull(Milliseconds)),
  perRequestMedian: each(SETUP_PHASES, orNull(Milliseconds)),
  gap: orNull(GapSchema),
  verdict: VerdictSchema,
});
export const CellSchema = Type.Object(
  { ...KEY, ...CELL.properties, ...EXTRAS_PROPERTIES },
  { additionalProperties: false },
);

/** The summary document as the interface promises it; tests check real answers against it. */
export const SummarySchema = Type.Unsafe<SummaryDocument>(
  shape<SummaryDocument>({ method: MethodSchema, cells: Type.Array(CellSchema) }),
);
