import { type Candidate, type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE, type FindingPlace } from './finding.ts';
import { findMedian, type LikeMedians, likeMedians } from './like-medians.ts';
import type { Waits } from './waits.ts';

const HOURS = 24;
/** Times what the same requests take at other hours. */
const MIN_FACTOR = 1.5;
/** Requests of an hour, on as many days. */
const MIN_ROWS = 30;
const MIN_DAYS = 3;
/** Of the days on which it has to hold: a single bad day is no hour of the day. */
const MOST_DAYS = 0.7;

/** A host that answers slowly at the same hours each day. */
export const findSlowHours: Detector = (waits) => {
  const likes = likeMedians(waits, waits.timed, waits.left.wait, waits.hour, HOURS);
  return waits.hosts.flatMap((host, code) =>
    slowHours(waits, likes, 'wait', waits.timedOf.host[code] as Int32Array, { ...ANYWHERE, host }, 'slow_hours'),
  );
};

/** A site whose line is full at the same hours each day: everything takes longer to arrive, from all hosts. */
export const findBusyLine: Detector = (waits) => {
  const likes = likeMedians(waits, waits.timed, waits.left.receive, waits.hour, HOURS);
  return waits.sites.flatMap((site, code) =>
    slowHours(waits, likes, 'receive', waits.timedOf.site[code] as Int32Array, { ...ANYWHERE, site }, 'busy_line'),
  );
};

function slowHours(
  waits: Waits,
  likes: LikeMedians,
  phase: 'wait' | 'receive',
  there: Int32Array,
  place: FindingPlace,
  kind: 'slow_hours' | 'busy_line',
): Candidate[] {
  const { left, stratum, hour, day, table } = waits;
  const factors = factorsOf(waits, likes, phase, there);
  const likeOf = (row: number) =>
    (likes.like[stratum[row] as number] as number) * (factors[(waits.site[row] as number) + 1] as number);
  const byHour = Array.from({ length: HOURS }, () => [] as number[]);
  for (const row of there) byHour[hour[row] as number]?.push(row);
  const ratios = byHour.map((rows) => {
    const ofDays = new Map<number, { own: number; like: number }>();
    for (const row of rows) {
      const like = likeOf(row);
      const value = left[phase][row] as number;
      if (Number.isNaN(like) || Number.isNaN(value)) continue;
      const sums = ofDays.get(day[row] as number) ?? { own: 0, like: 0 };
      sums.own += value;
      sums.like += like;
      ofDays.set(day[row] as number, sums);
    }
    const all = [...ofDays.values()].map(({ own, like }) => own / like);
    if (rows.length < MIN_ROWS || all.length < MIN_DAYS) return { ratio: Number.NaN, holds: false };
    return { ratio: findMedian(Float64Array.from(all)), holds: true, all };
  });
  const usual = findMedian(Float64Array.from(ratios.flatMap(({ ratio }) => (Number.isNaN(ratio) ? [] : [ratio]))));
  const slow = ratios.map(({ ratio, all }) => {
    if (!(ratio >= MIN_FACTOR * usual) || all === undefined) return false;
    return all.filter((one) => one >= MIN_FACTOR * usual).length >= MOST_DAYS * all.length;
  });
  const known = ratios.map(({ ratio }) => !Number.isNaN(ratio));
  const runs = runsOf(slow, known).filter(({ from, to }) => to - from <= HOURS / 2);
  return runs.map((run) => candidateOf(run, usual));

  function candidateOf(run: Run, usual: number): Candidate {
    const rows = byHour.slice(run.from, run.to).flat();
    const sums = new UnitSums();
    let [placeMs, own, likeMs] = [0, 0, 0];
    const moreOf = (row: number) => (left[phase][row] as number) - usual * likeOf(row);
    for (const row of rows) {
      placeMs += left.ttlb[row] as number;
      const more = moreOf(row);
      if (Number.isNaN(more)) continue;
      own += left[phase][row] as number;
      likeMs += (left[phase][row] as number) - more;
      sums.add(table.browser[row] as number, more);
    }
    return {
      kind,
      place: { ...place, hours: [run.from, run.to] },
      phase,
      since: null,
      facts: { factor: own / likeMs },
      affectedRequests: sums.affected,
      units: sums.units(),
      placeMs,
      cure() {
        for (const row of rows) {
          const more = moreOf(row);
          if (!(more > 0)) continue;
          left[phase][row] = (left[phase][row] as number) - more;
          left.ttlb[row] = (left.ttlb[row] as number) - more;
        }
      },
    };
  }
}

/** How long the place's requests take from each site, compared with their likes: other people work late than early. */
function factorsOf(
  { left, stratum, site, sites }: Waits,
  likes: LikeMedians,
  phase: 'wait' | 'receive',
  there: Int32Array,
): Float64Array {
  const own = new Float64Array(sites.length + 1);
  const like = new Float64Array(sites.length + 1);
  for (const row of there) {
    const usual = likes.like[stratum[row] as number] as number;
    const value = left[phase][row] as number;
    if (Number.isNaN(usual) || Number.isNaN(value)) continue;
    const place = (site[row] as number) + 1;
    own[place] = (own[place] as number) + value;
    like[place] = (like[place] as number) + usual;
  }
  return own.map((ms, place) => (like[place] === 0 ? 1 : ms / (like[place] as number)));
}

interface Run {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Hours that follow each other; one with too few requests to tell is slow if those on both sides of it are. */
function runsOf(slow: readonly boolean[], known: readonly boolean[]): Run[] {
  const runs: Run[] = [];
  for (let hour = 0; hour < slow.length; hour++) {
    if (slow[hour] !== true) continue;
    const last = runs.at(-1);
    const isNext = last !== undefined && known.slice(last.to, hour).every((told) => !told);
    if (isNext && hour - last.to <= 1) runs[runs.length - 1] = { from: last.from, to: hour + 1 };
    else runs.push({ from: hour, to: hour + 1 });
  }
  return runs;
}
