import type { MeasuredCause, Place } from '../fleets/truth.ts';

/** What the product says is the matter, as far as it says so: a place without a field, or null, says nothing of it. */
export interface GradedFinding {
  /** Its rule or remedy; not looked at. */
  readonly kind: string;
  readonly shape: string | null;
  /** Of `QUANTITIES`; anything else is right of nothing. */
  readonly quantity: string | null;
  readonly place: { readonly [Field in keyof Place]: Place[Field] | null };
  /** Day of the fleet from which it is so. */
  readonly since: number | null;
  /** Share of all waiting. */
  readonly savedShare: number | null;
  readonly savedInterval: readonly [number, number] | null;
}

export type Match = 'named' | 'partly' | 'no';

/** A day that is named may be this far from the true one. */
const DAYS_OFF = 1;
const HOURS_OFF = 1;
const MINUTES_OFF = 5;
/** Narrower than the truth is right where most of the cost lies. */
const MOST = 0.5;
/** Another place is the same cause seen again where its cost lies far more than waiting usually does. */
const LIFT = 1.5;
const COST_OFF = 0.3;

/**
 * `named`: every field of one of the true places, a right quantity, and the day where there is one. What is said beyond that
 * only narrows it to where most of the cost lies. `partly`: a right quantity or the right day, at a place that overlaps.
 */
export function matchOf(finding: GradedFinding, cause: MeasuredCause): Match {
  const place = saidPlace(finding);
  const rightQuantity = (cause.quantities as readonly (string | null)[]).includes(finding.quantity);
  const rightDay = isRightDay(finding, cause);
  if (rightQuantity && rightDay && isNamedPlace(place, cause)) return 'named';
  if (!rightQuantity && !(rightDay && cause.day !== undefined)) return 'no';
  return overlaps(place, cause) ? 'partly' : 'no';
}

export function isRightDay({ since }: GradedFinding, { day }: MeasuredCause): boolean {
  if (since === null || day === undefined) return since === null && day === undefined;
  return Math.abs(since - day) <= DAYS_OFF;
}

/** Whether the place is one of the true ones, or one that holds most of the cost without contradicting all of those. */
export function isRightPlace(finding: GradedFinding, cause: MeasuredCause): boolean {
  const place = saidPlace(finding);
  return isNamedPlace(place, cause) || (overlaps(place, cause) && cause.costAt(place) > MOST);
}

/** What is claimed to be saved is about what the cause costs, or costs at that place. */
export function isRightNumber({ savedShare, ...finding }: GradedFinding, cause: MeasuredCause): boolean {
  return (
    savedShare !== null && trueCosts({ savedShare, ...finding }, cause).some((cost) => near(Math.abs(savedShare), cost))
  );
}

/** The interval, or the number where there is none, leaves room for the truth. */
export function isNumberAsClaimed(finding: GradedFinding, cause: MeasuredCause): boolean {
  const { savedInterval } = finding;
  if (savedInterval === null) return isRightNumber(finding, cause);
  const [low, high] = savedInterval.map(Math.abs).sort((a, b) => a - b) as [number, number];
  return trueCosts(finding, cause).some((cost) => low <= cost * (1 + COST_OFF) && high >= cost * (1 - COST_OFF));
}

function trueCosts(finding: GradedFinding, cause: MeasuredCause): number[] {
  if (cause.costShare === null) return [];
  return [cause.costShare, cause.costShare * cause.costAt(saidPlace(finding))];
}

function near(said: number, cost: number): boolean {
  return Math.abs(said - cost) <= COST_OFF * cost;
}

function saidPlace({ place }: GradedFinding): Place {
  return Object.fromEntries(
    Object.entries(place).filter(([, value]) => value !== null && value !== undefined),
  ) as Place;
}

function fieldsOf(place: Place): (keyof Place)[] {
  return Object.keys(place) as (keyof Place)[];
}

function isNamedPlace(said: Place, cause: MeasuredCause): boolean {
  return cause.places.some((place) => {
    const fields = fieldsOf(place);
    if (!fields.every((field) => said[field] !== undefined && isSame(field, said, place))) return false;
    return fieldsOf(said).length === fields.length || cause.costAt(said) > MOST * cause.costAt(place);
  });
}

/** A field in common and none against it, or most of the cost in a place that has no such share of the waiting otherwise. */
function overlaps(said: Place, cause: MeasuredCause): boolean {
  const agrees = cause.places.some((place) => {
    const common = fieldsOf(said).filter((field) => place[field] !== undefined);
    return common.length > 0 && common.every((field) => isSame(field, said, place) || touches(field, said, place));
  });
  if (agrees || fieldsOf(said).length === 0) return agrees;
  const cost = cause.costAt(said);
  return cost > MOST && cost > LIFT * cause.usualAt(said);
}

function isSame(field: keyof Place, a: Place, b: Place): boolean {
  if (field === 'hours' || field === 'minutes') {
    const off = field === 'hours' ? HOURS_OFF : MINUTES_OFF;
    const [one, other] = [a[field], b[field]];
    if (one === undefined || other === undefined) return false;
    return touches(field, a, b) && Math.abs(one[0] - other[0]) <= off && Math.abs(one[1] - other[1]) <= off;
  }
  if (field === 'weekdays') return String([...(a.weekdays ?? [])].sort()) === String([...(b.weekdays ?? [])].sort());
  return a[field] === b[field];
}

/** Times of day and days of the week can overlap without being the same. */
function touches(field: keyof Place, a: Place, b: Place): boolean {
  if (field === 'weekdays') return (a.weekdays ?? []).some((day) => b.weekdays?.includes(day));
  if (field !== 'hours' && field !== 'minutes') return false;
  const [one, other] = [a[field], b[field]];
  return one !== undefined && other !== undefined && one[0] < other[1] && other[0] < one[1];
}

export interface FleetGrade {
  readonly causes: readonly { readonly cause: MeasuredCause; readonly match: Match }[];
  readonly findings: readonly FindingGrade[];
}

export interface FindingGrade {
  /** `duplicate`: sees a cause that a better finding has seen; `false`: fits nothing. */
  readonly verdict: 'named' | 'partly' | 'duplicate' | 'false';
  readonly rightSubject: boolean | null;
  /** null where there is nothing to be right about. */
  readonly rightNumber: boolean | null;
  readonly numberAsClaimed: boolean | null;
  readonly rightDay: boolean | null;
}

const FALSE: FindingGrade = {
  verdict: 'false',
  rightSubject: null,
  rightNumber: null,
  numberAsClaimed: null,
  rightDay: null,
};
const RANKS: readonly Match[] = ['named', 'partly', 'no'];

/** @param causes none in a quiet fleet, where every finding is false */
export function gradeFindings(findings: readonly GradedFinding[], causes: readonly MeasuredCause[]): FleetGrade {
  const matches = findings.map((finding) => causes.map((cause) => matchOf(finding, cause)));
  // Each cause has one finding that sees it best; the first of equals.
  const best = causes.map((_, c) => {
    const rank = Math.min(...matches.map((row) => RANKS.indexOf(row[c] ?? 'no')));
    const index = matches.findIndex((row) => RANKS.indexOf(row[c] ?? 'no') === rank);
    return rank < 2 ? { index, match: RANKS[rank] as Match } : { index: -1, match: 'no' as const };
  });
  return {
    causes: causes.map((cause, c) => ({ cause, match: best[c]?.match ?? 'no' })),
    findings: findings.map((finding, f) => {
      const seen = causes
        .map((cause, c) => ({ cause, match: matches[f]?.[c] ?? ('no' as const), isBest: best[c]?.index === f }))
        .filter(({ match }) => match !== 'no')
        .sort((a, b) => Number(b.isBest) - Number(a.isBest) || RANKS.indexOf(a.match) - RANKS.indexOf(b.match))[0];
      if (seen === undefined) return FALSE;
      const { cause, match, isBest } = seen;
      const hasCost = cause.costShare !== null;
      return {
        verdict: isBest ? (match as 'named' | 'partly') : 'duplicate',
        rightSubject: isRightPlace(finding, cause),
        rightNumber: hasCost ? isRightNumber(finding, cause) : null,
        numberAsClaimed: hasCost ? isNumberAsClaimed(finding, cause) : null,
        rightDay: isRightDay(finding, cause),
      };
    }),
  };
}
