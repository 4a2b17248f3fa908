import { binomialTail } from '../../../shared/statistics/binomial-tail.ts';
import { OUTCOME } from '../../reductions/request-table.ts';
import { type Candidate, type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import { dayName, type Waits } from './waits.ts';

/** Of a day's requests of a host that are errors. */
const MIN_SHARE = 0.05;
/** Times the host's usual share. */
const MIN_FACTOR = 4;
/** An outage, whether or not many users met it. */
const OUTAGE = 0.2;
/** Of so many browsers, or so many in all: otherwise it may be one user who reloads. */
const MIN_BROWSERS = 3;
const MIN_ERRORS = 5;
/** Of all days and hosts at most one may be chance. */
const MAX_CHANCE = 1e-5;

/** A page that fails, or one that misses its data, is loaded again. */
const RELOADED: ReadonlySet<string> = new Set(['document', 'fetch']);

/** Days on which a host answered with errors far more often than otherwise. */
export const findErrors: Detector = (waits) => {
  const pageMs = pageTimes(waits);
  const days = answersByDay(waits);
  return waits.hosts.flatMap((_, host) => errorsOf(waits, host, days[host] as Days, pageMs));
};

type Days = Map<number, { readonly errors: number[]; all: number }>;

/** Per host, the errors of each day and how many answers there were. */
function answersByDay({ table, host, hosts, day }: Waits): Days[] {
  const found = hosts.map((): Days => new Map());
  for (let row = 0; row < table.n; row++) {
    const outcome = table.outcome[row];
    if (outcome !== OUTCOME.error && outcome !== OUTCOME.usable) continue;
    const days = found[host[row] as number] as Days;
    const one = days.get(day[row] as number) ?? { errors: [], all: 0 };
    one.all++;
    if (outcome === OUTCOME.error) one.errors.push(row);
    days.set(day[row] as number, one);
  }
  return found;
}

function errorsOf(waits: Waits, host: number, days: Days, pageMs: ReadonlyMap<string, number>): Candidate[] {
  const { table } = waits;
  const total = [...days.values()].reduce(
    (sum, one) => ({ errors: sum.errors + one.errors.length, all: sum.all + one.all }),
    { errors: 0, all: 0 },
  );
  const bad = [...days].filter(([, one]) => {
    const elsewhere = Math.max(1, total.errors - one.errors.length) / Math.max(1, total.all - one.all);
    const share = one.errors.length / one.all;
    const browsers = new Set(one.errors.map((row) => table.browser[row])).size;
    if (
      (one.errors.length < MIN_ERRORS && browsers < MIN_BROWSERS) ||
      share < MIN_SHARE ||
      share < MIN_FACTOR * elsewhere
    )
      return false;
    return binomialTail(one.errors.length, one.all, elsewhere) <= MAX_CHANCE;
  });
  if (bad.length === 0) return [];
  const rows = bad.flatMap(([, one]) => one.errors);
  const all = bad.reduce((sum, [, one]) => sum + one.all, 0);
  const sums = new UnitSums();
  for (const row of rows) {
    const { target, type } = waits.groupOf(row);
    const usual = pageMs.get(RELOADED.has(type) ? target : '') ?? 0;
    sums.add(table.browser[row] as number, usual);
  }
  const first = Math.min(...bad.map(([one]) => one));
  return [
    {
      kind: 'errors',
      place: { ...ANYWHERE, host: waits.hosts[host] as string },
      phase: null,
      since: dayName(first),
      facts: { errorShare: rows.length / all, days: bad.length },
      affectedRequests: rows.length,
      units: sums.units(),
      p: MAX_CHANCE,
      serious: rows.length >= OUTAGE * all,
      placeMs: sums.total,
      cure() {
        for (const row of rows) table.outcome[row] = OUTCOME.failed;
      },
    },
  ];
}

/** What users wait for one page view of each app; under '' for one request. */
function pageTimes({ waited, left, table }: Waits): ReadonlyMap<string, number> {
  const ms = new Map<string, number>();
  const documents = new Map<string, number>();
  let all = 0;
  for (const row of waited) {
    const { target, type } = table.groups[table.group[row] as number] as (typeof table.groups)[number];
    const total = left.ttlb[row] as number;
    all += total;
    ms.set(target, (ms.get(target) ?? 0) + total);
    if (type === 'document') documents.set(target, (documents.get(target) ?? 0) + 1);
  }
  return new Map([
    ...[...ms].map(([target, sum]) => [target, sum / Math.max(1, documents.get(target) ?? 0)] as const),
    ['', all / Math.max(1, waited.length)] as const,
  ]);
}
