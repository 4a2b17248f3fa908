import { zoneNamed } from '../../../shared/settings/time-zones.ts';
import {
  ASKED_DIMENSIONS,
  type AskedDimension,
  DIMENSIONS,
  type Dimension,
  type Filters,
  SAMPLE_DIMENSIONS,
  type TimeRange,
} from '../../../shared/vocabulary/dimensions.ts';
import { VIEWS, type ViewName } from '../../analysis/tables/table-document.ts';
import { ASKABLE_TIMES, type AskableTime } from '../row-times.ts';
import { checkSteps } from './kept-part.ts';
import { checkRange, invalid, type ParameterReader, type Parameters, readParameters } from './parameters.ts';

const RANGE = ['from', 'to'] as const;
const ALL_DIMENSIONS = [...DIMENSIONS, ...SAMPLE_DIMENSIONS] as const;
const MAX_PAGES = 1000;
const DEFAULT_PAGES = 100;
/** Steps a range is cut into where none is named. */
const USUAL_STEPS = 96;
const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const USUAL_STEP_MS = [60_000, 300_000, 900_000, 3_600_000, 6 * 3_600_000, 86_400_000, 7 * 86_400_000] as const;

interface Question {
  readonly range: TimeRange;
  readonly filters: Filters;
}

export interface TimeQuery extends Question {
  readonly by: readonly AskedDimension[];
  readonly time: AskableTime;
  readonly exact: boolean;
}

/** Default: all requests as one, `ttlb`. Throws a QueryError. */
export function parseHistogramQuery(parameters: Parameters, now: number): TimeQuery {
  const read = readParameters(parameters, [...RANGE, 'by', 'time', 'exact', ...ASKED_DIMENSIONS]);
  return {
    range: read.range(now),
    by: read.by(ASKED_DIMENSIONS, []),
    filters: read.filters(ASKED_DIMENSIONS),
    time: read.word('time', ASKABLE_TIMES, 'ttlb'),
    exact: read.flag('exact'),
  };
}

export interface TimelineQuery extends TimeQuery {
  /** null: one that gives about a hundred steps. */
  readonly stepMs: number | null;
  /** IANA name of the time zone whose days they are; UTC unless given. */
  readonly zone?: string | null;
}

/**
 * `step` is a whole number of `s`, `m`, `h` or `d`; by default one that gives about a hundred. `zone` is the time zone
 * whose days and hours they are, UTC unless given. Throws a QueryError.
 */
export function parseTimelineQuery(parameters: Parameters, now: number): TimelineQuery {
  const { step, zone: named, ...others } = parameters;
  const query = parseHistogramQuery(others, now);
  const read = readParameters({ step, zone: named }, ['step', 'zone']);
  const text = read.once('step');
  const stepMs = text === null ? null : parseStep(text);
  if (stepMs !== null) checkSteps(query.range, stepMs, 'invalid_parameter');
  return { ...query, stepMs, zone: parseZone(read) };
}

/** As IANA writes it, whatever its case; null where none is given. Throws a QueryError. */
export function parseZone(read: ParameterReader): string | null {
  const text = read.once('zone');
  const zone = text === null ? null : zoneNamed(text);
  if (text === null || zone !== null) return zone;
  throw invalid(
    `zone is “${text.slice(0, 40)}”`,
    'Name a time zone of the IANA database, such as Europe/Berlin or UTC.',
  );
}

function parseStep(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([smhd])$/.exec(text) ?? [];
  if (unit === undefined) throw invalid('step is no length of time', 'Write it as 30s, 5m, 1h or 1d.');
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}

export function usualStep({ from, to }: TimeRange): number {
  return USUAL_STEP_MS.find((step) => (to - from) / step <= USUAL_STEPS) ?? UNITS.d * 30;
}

export interface CompareQuery {
  readonly before: Question;
  readonly after: Question;
  readonly by: readonly Dimension[];
  readonly time: AskableTime;
}

/**
 * `from` and `to` are the later side, `beforeFrom` and `beforeTo` the earlier one: by default the same length right
 * before, or the same range where filters tell the sides apart (`before.host=`, `after.host=`). Throws a QueryError.
 */
export function parseCompareQuery(parameters: Parameters, now: number): CompareQuery {
  const sided = (['before.', 'after.'] as const).flatMap((side) => ALL_DIMENSIONS.map((name) => side + name));
  const read = readParameters(parameters, [
    ...RANGE,
    'beforeFrom',
    'beforeTo',
    'by',
    'time',
    ...ALL_DIMENSIONS,
    ...sided,
  ]);
  const after = read.range(now);
  const filters = read.filters(ALL_DIMENSIONS);
  const own = { before: read.filters(ALL_DIMENSIONS, 'before.'), after: read.filters(ALL_DIMENSIONS, 'after.') };
  const byFilters = Object.keys(own.before).length + Object.keys(own.after).length > 0;
  const to = read.time('beforeTo') ?? (byFilters ? after.to : after.from);
  const from = read.time('beforeFrom') ?? to - (after.to - after.from);
  return {
    before: {
      range: checkRange({ from, to }, 'beforeFrom is not before beforeTo'),
      filters: { ...filters, ...own.before },
    },
    after: { range: after, filters: { ...filters, ...own.after } },
    by: read.by(DIMENSIONS, []),
    time: read.word('time', ASKABLE_TIMES, 'ttlb'),
  };
}

/** Throws a QueryError. */
export function parsePagesQuery(parameters: Parameters, now: number): Question & { readonly limit: number } {
  const read = readParameters(parameters, [...RANGE, 'limit', 'exact', ...ALL_DIMENSIONS]);
  read.flag('exact');
  return {
    range: read.range(now),
    filters: read.filters(ALL_DIMENSIONS),
    limit: read.whole('limit', { min: 1, max: MAX_PAGES }, DEFAULT_PAGES),
  };
}

/** Throws a QueryError. */
export function parseEvidenceQuery(
  parameters: Parameters,
  now: number,
): Question & { readonly by: readonly AskedDimension[] } {
  const read = readParameters(parameters, [...RANGE, 'by', 'exact', ...ASKED_DIMENSIONS]);
  read.flag('exact');
  return {
    range: read.range(now),
    by: read.by(ASKED_DIMENSIONS, ['host', 'type']),
    filters: read.filters(ASKED_DIMENSIONS),
  };
}

/** @param view fixed where the address names it. Throws a QueryError. */
export function parseViewQuery(
  parameters: Parameters,
  now: number,
  view: ViewName | null = null,
): Question & { readonly view: ViewName; readonly exact: boolean } {
  const names = [...RANGE, 'exact', ...ALL_DIMENSIONS];
  const read = readParameters(parameters, view === null ? [...names, 'view'] : names);
  return {
    range: read.range(now),
    filters: read.filters(ALL_DIMENSIONS),
    exact: read.flag('exact'),
    view: view ?? read.word('view', VIEWS, 'scenarios'),
  };
}
