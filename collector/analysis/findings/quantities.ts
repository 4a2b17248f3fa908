import { CONNECTION, OUTCOME } from '../../reductions/request-table.ts';
import { pickRows, type Waits } from './waits.ts';

export const QUANTITIES = [
  'blocked',
  'dns',
  'tcp',
  'tls',
  'wait',
  'receive',
  'ttlb',
  'redirect',
  'challenged',
  'new_connections',
  'cached',
  'unmeasurable',
  'errors',
] as const;
export type QuantityName = (typeof QUANTITIES)[number];

/** What is compared: how long each request waited for it, ms. */
export interface Quantity {
  readonly name: QuantityName;
  /** Per row; NaN where it is unknown or does not occur. */
  readonly values: Float32Array;
  /** Per row, requests that are alike. */
  readonly stratum: Int32Array;
  readonly strata: number;
  /** Quantities that change with what is left of it, itself among them. */
  readonly touches: ReadonlySet<QuantityName>;
  /** Leaves that part of a row's time. */
  scale(row: number, factor: number): void;
}

const SET_UP = ['dns', 'tcp', 'tls'] as const;
const PARTS = ['blocked', ...SET_UP, 'wait', 'receive'] as const;
type Part = (typeof PARTS)[number];
/** A page that fails, or one that misses its data, is loaded again. */
const RELOADED: ReadonlySet<string> = new Set(['document', 'fetch']);

/** After a longer challenge the user had to type. */
const MAX_CHALLENGE_MS = 3_000;
/** A shorter one was answered by a cache of the browser or the machine. */
const MIN_LOOKUP_MS = 1;

/** Measures what is left now. @param only these; all if absent */
export function measureQuantities(waits: Waits, only?: ReadonlySet<QuantityName>): Quantity[] {
  const { left, table, timed, waited } = waits;
  const { outcome, connection } = table;
  const byConnection = { stratum: waits.stratum, strata: waits.strata };
  const byKind = { stratum: waits.kind, strata: waits.kinds };
  const where = (holds: (row: number) => boolean) => pickRows(waits.rows, holds);
  const measured = (rows: Int32Array, value: (row: number) => number) => {
    const values = new Float32Array(table.n).fill(Number.NaN);
    for (let i = 0; i < rows.length; i++) values[rows[i] as number] = value(rows[i] as number);
    return values;
  };
  /** The mean of the values above 0 of each kind; 1 ms for a kind that has none. */
  const meansByKind = (values: Float32Array) => {
    const n = new Float64Array(byKind.strata);
    const sums = new Float64Array(byKind.strata);
    for (let row = 0; row < values.length; row++) {
      const value = values[row] as number;
      if (!(value > 0)) continue;
      const one = waits.kind[row] as number;
      n[one] = (n[one] as number) + 1;
      sums[one] = (sums[one] as number) + value;
    }
    return sums.map((ms, one) => (n[one] === 0 ? 1 : ms / (n[one] as number)));
  };
  /** How often it occurs, times what it takes on average: that it takes longer is none of it. */
  const rate = (rows: Int32Array, value: (row: number) => number) => {
    const values = measured(rows, value);
    const meanMs = meansByKind(values);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (values[row] !== 0) values[row] = meanMs[waits.kind[row] as number] as number;
    }
    return values;
  };
  const shorten = (row: number, parts: readonly Part[], factor: number) => {
    for (const part of parts) {
      const value = left[part][row] as number;
      if (Number.isNaN(value)) continue;
      left[part][row] = value * factor;
      left.ttlb[row] = (left.ttlb[row] as number) - value * (1 - factor);
    }
  };
  // A lookup is a matter of its own: it goes neither to the server nor along the way.
  const withoutLookup = (row: number) => (left.ttlb[row] as number) - ((left.dns[row] as number) || 0);
  const shortenAll = (row: number, factor: number) => {
    left.ttlb[row] = (left.ttlb[row] as number) - withoutLookup(row) * (1 - factor);
    for (const part of PARTS) if (part !== 'dns') left[part][row] = (left[part][row] as number) * factor;
  };
  /** What occurs less often is not shorter: it is gone from that part of the rows. */
  const fewer = (remove: (row: number) => void) => {
    let due = 0;
    return (row: number, factor: number) => {
      due += 1 - factor;
      if (due < 1) return;
      due -= 1;
      remove(row);
    };
  };
  const phase = (name: Part, rows: () => Int32Array): Recipe => ({
    name,
    ...byConnection,
    values: () => measured(rows(), (row) => left[name][row] as number),
    touches: SET_UP.some((part) => part === name) ? [name, 'ttlb', 'new_connections'] : [name, 'ttlb'],
    scale: (row, factor) => shorten(row, [name], factor),
  });
  const fresh = () => pickRows(timed, (row) => connection[row] === CONNECTION.new);
  const isError = (row: number) => outcome[row] === OUTCOME.error || outcome[row] === OUTCOME.failed;
  const isHidden = (row: number) =>
    outcome[row] === OUTCOME.opaque ||
    outcome[row] === OUTCOME.worker ||
    // Redirects across origins have no time, nor has what follows them.
    (outcome[row] === OUTCOME.redirected && Number.isNaN(left.redirect[row] as number));
  const isDivided = (row: number) => outcome[row] === OUTCOME.usable && !Number.isNaN(left.ttlb[row] as number);
  const recipes: Recipe[] = [
    phase('blocked', () => timed),
    {
      ...phase('dns', fresh),
      touches: ['dns', 'blocked', 'ttlb', 'new_connections'],
      // Where the browser counts a lookup as blocked, that is where it is taken from.
      scale: (row, factor) => shorten(row, [(left.dns[row] as number) < MIN_LOOKUP_MS ? 'blocked' : 'dns'], factor),
    },
    phase('tcp', fresh),
    phase('tls', fresh),
    phase('wait', () => timed),
    phase('receive', () => timed),
    {
      name: 'ttlb',
      ...byConnection,
      values: () => measured(waited, withoutLookup),
      touches: QUANTITIES,
      scale: shortenAll,
    },
    {
      name: 'new_connections',
      ...byKind,
      values: () =>
        rate(
          pickRows(timed, (row) => connection[row] !== CONNECTION.other),
          (row) =>
            connection[row] === CONNECTION.new
              ? SET_UP.reduce((sum, part) => sum + ((left[part][row] as number) || 0), 0)
              : 0,
        ),
      touches: ['new_connections', ...SET_UP, 'ttlb'],
      scale: fewer((row) => {
        shorten(row, SET_UP, 0);
        for (const part of SET_UP) left[part][row] = Number.NaN;
      }),
    },
    {
      name: 'cached',
      ...byKind,
      values: () =>
        rate(
          where((row) => outcome[row] === OUTCOME.cache || isDivided(row)),
          (row) => (outcome[row] === OUTCOME.cache ? 0 : (left.ttlb[row] as number)),
        ),
      touches: QUANTITIES,
      scale: fewer((row) => {
        if (outcome[row] !== OUTCOME.cache) shortenAll(row, Number.NaN);
        outcome[row] = OUTCOME.cache;
      }),
    },
    {
      name: 'unmeasurable',
      ...byKind,
      values() {
        const values = measured(waited, (row) => left.ttlb[row] as number);
        const meanMs = meansByKind(values);
        return measured(
          where((row) => isHidden(row) || isDivided(row) || outcome[row] === OUTCOME.cache),
          (row) => (isHidden(row) ? (meanMs[waits.kind[row] as number] as number) : 0),
        );
      },
      touches: ['unmeasurable'],
      scale(row, factor) {
        if (factor < 1 && isHidden(row) && outcome[row] !== OUTCOME.opaque) outcome[row] = OUTCOME.cured;
      },
    },
    {
      name: 'errors',
      ...byKind,
      values() {
        const pageMs = pageTimes(waits);
        return measured(
          where((row) => isError(row) || outcome[row] === OUTCOME.usable || outcome[row] === OUTCOME.opaque),
          (row) => {
            if (!isError(row)) return 0;
            const { target, type } = waits.groupOf(row);
            return pageMs.get(RELOADED.has(type) ? target : '') ?? 0;
          },
        );
      },
      touches: ['errors'],
      scale(row) {
        if (isError(row)) outcome[row] = OUTCOME.cured;
      },
    },
    {
      name: 'redirect',
      ...byKind,
      values: () =>
        measured(
          where(
            (row) =>
              (outcome[row] === OUTCOME.redirected || outcome[row] === OUTCOME.usable) &&
              waits.groupOf(row).type === 'document',
          ),
          (row) => (left.redirect[row] as number) || 0,
        ),
      touches: ['redirect'],
      scale(row, factor) {
        left.redirect[row] = (left.redirect[row] as number) * factor;
      },
    },
    {
      name: 'challenged',
      ...byKind,
      // The browser answers a challenge by itself, and counts that exchange as blocked.
      values: () =>
        measured(
          where(
            (row) =>
              outcome[row] === OUTCOME.usable ||
              (outcome[row] === OUTCOME.challenged && (left.blocked[row] as number) <= MAX_CHALLENGE_MS),
          ),
          (row) => (outcome[row] === OUTCOME.challenged ? (left.blocked[row] as number) : 0),
        ),
      touches: ['challenged'],
      scale: (row, factor) => shorten(row, ['blocked'], factor),
    },
  ];
  return recipes
    .filter(({ name }) => only === undefined || only.has(name))
    .map(({ values, touches, ...recipe }) => ({ ...recipe, values: values(), touches: new Set(touches) }));
}

interface Recipe extends Omit<Quantity, 'values' | 'touches'> {
  readonly touches: readonly QuantityName[];
  values(): Float32Array;
}

/** What users wait for one page view of each app; under '' for one request. */
function pageTimes({ waited, left, table }: Waits): ReadonlyMap<string, number> {
  const ms = new Map<string, number>();
  const documents = new Map<string, number>();
  let all = 0;
  for (let i = 0; i < waited.length; i++) {
    const row = waited[i] as number;
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
