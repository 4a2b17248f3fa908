import { type TSchema, Type } from 'typebox';
import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';
import type {
  CompareCell,
  CompareChange,
  CompareDocument,
  EvidenceCell,
  EvidenceDocument,
  Fleet,
  FleetVersion,
  HistogramCell,
  HistogramDocument,
  PagesDocument,
  ReportDocument,
  TimelineCell,
  TimelineDocument,
  TimelineStep,
  TimingAllowance,
} from '../../analysis/documents/answers.ts';
import {
  type TableColumn,
  type TableDocument,
  VIEWS,
  type ViewDocument,
} from '../../analysis/tables/table-document.ts';
import {
  Count,
  Counts,
  EvidenceSchema,
  each,
  keyed,
  MethodSchema,
  Milliseconds,
  orNull,
  shape,
  TimeStatisticsSchema,
  words,
} from './answer-parts.ts';
import { PeaksSchema } from './extras-schema.ts';
import { CellSchema } from './summary-schema.ts';

type Own<T extends CellKey> = Omit<T, keyof CellKey>;
const Pair = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });

const Bin = Type.Object({ from: Milliseconds, to: Milliseconds, count: Count }, { additionalProperties: false });
export const HistogramSchema = Type.Unsafe<HistogramDocument>(
  shape<HistogramDocument>({
    method: MethodSchema,
    cells: Type.Array(
      keyed(
        shape<Own<HistogramCell>>({
          browsers: Count,
          statistics: TimeStatisticsSchema,
          bins: Type.Array(Bin),
          peaks: PeaksSchema,
        }),
      ),
    ),
  }),
);

const MaybeMs = orNull(Milliseconds);
const Step = shape<TimelineStep>({
  n: orNull(Count),
  browsers: orNull(Count),
  median: MaybeMs,
  mean: MaybeMs,
  p25: MaybeMs,
  p75: MaybeMs,
  p95: MaybeMs,
  reason: orNull(words(['few_browsers'])),
});
export const TimelineSchema = Type.Unsafe<TimelineDocument>(
  shape<TimelineDocument>({
    method: MethodSchema,
    steps: Type.Array(Type.String()),
    stepSeconds: Type.Number(),
    cells: Type.Array(keyed(shape<Own<TimelineCell>>({ steps: Type.Array(orNull(Step)) }))),
  }),
);

const ChangeSchema = shape<CompareChange>({
  before: Milliseconds,
  after: Milliseconds,
  difference: Milliseconds,
  interval: Pair,
  changed: Type.Boolean(),
  over: words(['browsers', 'samples']),
  because: orNull(words(['unknown_browsers', 'few_browsers'])),
  sharedBrowsers: Count,
  drawnFrom: Pair,
});
const { from, to, filters, dataHash } = MethodSchema.properties;
export const CompareSchema = Type.Unsafe<CompareDocument>(
  shape<CompareDocument>({
    method: MethodSchema,
    before: shape<CompareDocument['before']>({ from, to, filters, dataHash }),
    cells: Type.Array(
      keyed(
        shape<Own<CompareCell>>({
          before: orNull(TimeStatisticsSchema),
          after: orNull(TimeStatisticsSchema),
          change: orNull(ChangeSchema),
          text: Type.String(),
        }),
      ),
    ),
    leftOut: Count,
  }),
);

const { medianInterval: _i, keepMeasuring: _k, belowClockStep: _b, ...LENGTH } = TimeStatisticsSchema.properties;
const PageCellSchema = Type.Object(
  { ...CellSchema.properties, contentLength: orNull(Type.Object(LENGTH, { additionalProperties: false })) },
  { additionalProperties: false },
);
export const PagesSchema = Type.Unsafe<PagesDocument>(
  shape<PagesDocument>({
    method: MethodSchema,
    cells: Type.Array(PageCellSchema),
    leftOut: each(['cells', 'samples'], Count),
  }),
);

const Value = Type.Union([Type.String(), Type.Number(), Type.Null()]);
const TableSchema = shape<TableDocument>({
  title: Type.String(),
  columns: Type.Array(shape<TableColumn>({ name: Type.String(), label: Type.String(), unit: Type.String() })),
  rows: Type.Array(Type.Record(Type.String(), Value)),
  notes: Type.Array(Type.String()),
});
const ViewSchema = shape<ViewDocument>({
  view: words(VIEWS),
  title: Type.String(),
  tables: Type.Array(TableSchema),
  notes: Type.Array(Type.String()),
});
export const ReportSchema = Type.Unsafe<ReportDocument>(
  shape<ReportDocument>({ method: MethodSchema, view: ViewSchema }),
);

const FleetSchema = shape<Fleet>({
  browsers: Count,
  versions: Type.Array(
    shape<FleetVersion>({
      browser: Type.String(),
      version: Type.String(),
      extension: Type.String(),
      browsers: Count,
      samples: Count,
      lastSeen: Type.String(),
    }),
  ),
  lastSeen: Type.Union([each(['hour', 'day', 'week', 'earlier'], Count), Type.Null()]),
  clocks: Type.Union([each(['batches', 'corrected', 'largestMs'], Count), Type.Null()]),
});
const EVIDENCE_CELL = {
  samples: Count,
  browsers: Count,
  evidence: EvidenceSchema,
  connections: Counts,
  status: Counts,
  unknown: Type.Record(Type.String(), Counts),
} satisfies Record<keyof Own<EvidenceCell>, TSchema>;
export const EvidenceDocumentSchema = Type.Unsafe<EvidenceDocument>(
  shape<EvidenceDocument>({
    method: MethodSchema,
    cells: Type.Array(keyed(Type.Object(EVIDENCE_CELL))),
    cache: orNull(TableSchema),
    askForTiming: Type.Array(
      shape<TimingAllowance>({
        host: Type.String(),
        target: Type.String(),
        opaque: Count,
        samples: Count,
        headers: Type.Array(Type.String()),
      }),
    ),
    fleet: orNull(FleetSchema),
    missing: orNull(Type.String()),
  }),
);
