import type { FastifyInstance } from 'fastify';
import { counter, type MetricFamily } from './metric-family.ts';

/** Upper bounds of response times, seconds. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10];

interface RouteMeter {
  readonly labels: Readonly<Record<'method' | 'route' | 'status', string>>;
  readonly counts: number[];
  sum: number;
}

export interface RequestMeters {
  /** Rows sent with this ingest key that had a name folded into `(other)`. */
  rowsFolded(key: string, rows: number): void;
  /** Rows sent with this ingest key that were stored in a coarser cell. */
  rowsCoarsened(key: string, rows: number): void;
  /** Columns of metrics sent with this ingest key that the settings don't name. */
  metricColumnsDropped(key: string, columns: number): void;
  families(): MetricFamily[];
}

/** Counts responses by route and status, and batches by outcome. Unknown addresses count as one route. */
export function meterRequests(app: FastifyInstance): RequestMeters {
  const routes = new Map<string, RouteMeter>();
  const batches = { stored: 0, duplicate: 0 };
  const rows = { accepted: 0, rejected: 0 };
  const folded = new Map<string, number>();
  const coarsened = new Map<string, number>();
  const dropped = new Map<string, number>();

  // `done` instead of promises: these two hooks run for every batch.
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const id = `${request.method} ${route} ${reply.statusCode}`;
    let meter = routes.get(id);
    if (meter === undefined) {
      const labels = { method: request.method, route, status: String(reply.statusCode) };
      meter = { labels, counts: new Array<number>(BOUNDS.length + 1).fill(0), sum: 0 };
      routes.set(id, meter);
    }
    const seconds = reply.elapsedTime / 1000;
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
    meter.counts[bucket] = (meter.counts[bucket] as number) + 1;
    meter.sum += seconds;
    done();
  });

  app.addHook('preSerialization', (request, _reply, payload, done) => {
    if (request.routeOptions.url === '/api/v1/batches' && isBatchAnswer(payload)) {
      batches[payload.duplicate ? 'duplicate' : 'stored']++;
      rows.accepted += payload.accepted;
      rows.rejected += payload.rejected.length;
    }
    done(null, payload);
  });

  return {
    rowsFolded: (key, count) => void folded.set(key, (folded.get(key) ?? 0) + count),
    rowsCoarsened: (key, count) => void coarsened.set(key, (coarsened.get(key) ?? 0) + count),
    metricColumnsDropped: (key, count) => void dropped.set(key, (dropped.get(key) ?? 0) + count),
    families: () => [
      count('lastbyte_batches_total', 'Batches that were acknowledged.', 'outcome', batches),
      count('lastbyte_rows_total', 'Rows of these batches.', 'outcome', rows),
      count(
        'lastbyte_rows_folded_total',
        'Rows with a name that was folded into (other).',
        'key',
        Object.fromEntries(folded),
      ),
      count(
        'lastbyte_rows_coarsened_total',
        'Rows stored in a coarser cell, beyond the cell limit of a key.',
        'key',
        Object.fromEntries(coarsened),
      ),
      count(
        'lastbyte_metric_columns_dropped_total',
        'Metric columns that the settings do not name.',
        'key',
        Object.fromEntries(dropped),
      ),
      {
        name: 'lastbyte_http_request_seconds',
        help: "Response times of the collector's requests.",
        type: 'histogram',
        unit: 's',
        series: [...routes.values()].map(({ labels, counts, sum }) => ({ labels, counts, bounds: BOUNDS, sum })),
      },
    ],
  };
}

function count(name: string, help: string, label: string, values: Readonly<Record<string, number>>): MetricFamily {
  return counter(
    name,
    help,
    '1',
    Object.entries(values).map(([labelValue, value]) => [{ [label]: labelValue }, value]),
  );
}

function isBatchAnswer(
  payload: unknown,
): payload is { duplicate: boolean; accepted: number; rejected: readonly unknown[] } {
  return typeof payload === 'object' && payload !== null && 'accepted' in payload && 'rejected' in payload;
}
