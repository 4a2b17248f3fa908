import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import type { MeasuredCause, Place, PlantedCause } from './truth.ts';

/** Not counted: what a cache, a worker or a page left early ended, and hidden pages, which nobody waits for. */
const WAITED_FOR: ReadonlySet<string | undefined> = new Set(['new', 'reused', 'opaque']);
const TIMED_OUT: ReadonlySet<string | undefined> = new Set(['net::ERR_CONNECTION_TIMED_OUT', 'NS_ERROR_NET_TIMEOUT']);
const SERVERS_OFFSET_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** One sample, as places see it. */
interface Wait {
  readonly at: number;
  /** ms that a user waited; 0 where it counts as none. */
  readonly ms: number;
  readonly place: {
    readonly target: string | undefined;
    readonly host: string | undefined;
    readonly template: string | undefined;
    readonly type: string | undefined;
    readonly site: string;
    readonly browser: number;
    readonly engine: string;
    readonly engineVersion: string;
    readonly protocol: string | undefined;
    readonly connection: string | undefined;
  };
}

/** All that the users of a fleet waited for: times to the last byte and redirects of page samples. */
export class Waiting {
  readonly #waits: readonly Wait[];
  readonly total: number;

  constructor(waits: readonly Wait[]) {
    this.#waits = waits;
    this.total = waits.reduce((sum, { ms }) => sum + ms, 0);
  }

  /** ms */
  at(place: Place): number {
    let sum = 0;
    for (const wait of this.#waits) if (wait.ms > 0 && isAt(wait, place)) sum += wait.ms;
    return sum;
  }

  count(place: Place, since = 0): number {
    let n = 0;
    for (const wait of this.#waits) if (wait.at >= since && isAt(wait, place)) n++;
    return n;
  }
}

function isAt({ at, place: own }: Wait, { hours, minutes, weekdays, ...place }: Place): boolean {
  for (const name in place) {
    const value = place[name as keyof typeof place];
    if (value !== undefined && own[name as keyof typeof own] !== value) return false;
  }
  const local = at + SERVERS_OFFSET_MS;
  const isIn = (value: number, range: readonly [number, number] | undefined) =>
    range === undefined || (value >= range[0] && value < range[1]);
  if (!isIn((local % DAY_MS) / 3_600_000, hours) || !isIn((local % 3_600_000) / 60_000, minutes)) return false;
  return weekdays === undefined || weekdays.includes(new Date(local).getUTCDay());
}

/**
 * @param numberOf of the browser that sent a batch
 * @param isHeld whether a path is kept open by design, so that its time is no waiting
 */
export function waitingOf(
  batches: Iterable<WireBatch>,
  numberOf: (client: string) => number | undefined,
  isHeld: (host: string, template: string) => boolean,
): Waiting {
  const waits: Wait[] = [];
  for (const wire of batches) {
    const { columns, dictionaries, site, browser: engine } = wire;
    type Named = 'target' | 'host' | 'template' | 'type' | 'protocol' | 'connection' | 'excluded' | 'error' | 'source';
    const text = (name: Named, row: number) => dictionaries[name]?.[columns[name]?.[row] ?? -1];
    const browser = numberOf(wire.client) ?? -1;
    const engineVersion = wire.browserVersion.split('.', 1)[0] ?? '';
    let at = 0;
    for (let row = 0; row < wire.n; row++) {
      at += columns.at[row] ?? 0;
      if (text('source', row) !== 'page') continue;
      const [host, template, connection] = [text('host', row), text('template', row), text('connection', row)];
      const counts = connection === 'failed' ? TIMED_OUT.has(text('error', row)) : WAITED_FOR.has(connection);
      const shown = counts && text('excluded', row) !== 'hidden' && !isHeld(host ?? '', template ?? '');
      const µs = shown ? (columns.times.ttlb?.[row] ?? 0) + (columns.times.redirect?.[row] ?? 0) : 0;
      waits.push({
        at,
        ms: µs / 1000,
        place: {
          target: text('target', row),
          host,
          template,
          type: text('type', row),
          site,
          browser,
          engine,
          engineVersion,
          protocol: text('protocol', row),
          connection,
        },
      });
    }
  }
  return new Waiting(waits);
}

/** What the cause costs, from the fleet with it and the one without. */
export function measureCause(cause: PlantedCause, withIt: Waiting, without: Waiting, from: number): MeasuredCause {
  const cost = withIt.total - without.total;
  const since = from + (cause.day ?? 0) * DAY_MS;
  const [anywhere = {}] = cause.places;
  const concerned = withIt.count(anywhere, since);
  return {
    ...cause,
    costShare: cause.costless ? null : Math.abs(cost) / withIt.total,
    costAt: (place) => {
      if (!cause.costless) return (withIt.at(place) - without.at(place)) / cost;
      return Math.max(...cause.places.map((one) => withIt.count({ ...one, ...place }, since))) / Math.max(1, concerned);
    },
    usualAt: (place) => without.at(place) / without.total,
  };
}
