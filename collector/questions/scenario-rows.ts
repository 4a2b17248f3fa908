import { NULL, type SampleColumns } from '../../shared/sample/sample-columns.ts';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import { canDivideBy } from '../analysis/summary/handshake-round-trips.ts';
import {
  largeBodyRate,
  medianRate,
  type ScenarioFacts,
  sortTlsCounts,
  UNKNOWN_TLS,
} from '../analysis/tables/scenario-facts.ts';
import type { RowPart } from '../storage/passes/row-part.ts';

/** Collected row by row for the facts about one scenario, or about a part of one. */
export interface ScenarioRows {
  /** tls ÷ tcp of each new connection. */
  readonly ratios: number[];
  /** Bytes per second. */
  readonly rates: number[];
  readonly transferred: Sum;
  readonly body: Sum;
  readonly serverTime: Sum;
  readonly metrics: Map<string, Sum>;
  /** By version and cipher. */
  readonly tls: Map<string, { readonly version: string; readonly cipher: string; n: number }>;
}

interface Sum {
  n: number;
  sum: number;
}

export function newScenarioRows(): ScenarioRows {
  const sum = () => ({ n: 0, sum: 0 });
  return {
    ratios: [],
    rates: [],
    transferred: sum(),
    body: sum(),
    serverTime: sum(),
    metrics: new Map(),
    tls: new Map(),
  };
}

/**
 * Adds the rows of a part.
 * @param groups per row, −1 for none
 * @param rowsOf called for the group of each row
 */
export function addScenarioRows(part: RowPart, groups: Int32Array, rowsOf: (group: number) => ScenarioRows): void {
  addSums(part, groups, rowsOf);
  addRatios(part, groups, rowsOf);
  addRates(part, groups, rowsOf);
  addTls(part.columns, groups, rowsOf);
  const usable = part.metrics.usable();
  for (const name of part.columns.metricNames) {
    const values = part.columns.metric(name);
    for (let row = 0; row < values.length; row++) {
      const group = groups[row] as number;
      const value = values[row] as number;
      if (group < 0 || Number.isNaN(value)) continue;
      const { metrics } = rowsOf(group);
      const sum = metrics.get(name) ?? { n: 0, sum: 0 };
      metrics.set(name, sum);
      if (usable[row] === 1) add(sum, value);
    }
  }
}

function addSums(part: RowPart, groups: Int32Array, rowsOf: (group: number) => ScenarioRows): void {
  const usable = part.metrics.usable();
  const transfer = part.columns.number('transferSize');
  const body = part.columns.number('encodedBodySize');
  const server = part.columns.number('serverTime');
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row] as number;
    if (group < 0) continue;
    const rows = rowsOf(group);
    if (transfer[row] !== NULL) add(rows.transferred, transfer[row] as number);
    if (body[row] !== NULL) add(rows.body, body[row] as number);
    if (server[row] !== NULL && usable[row] === 1) add(rows.serverTime, (server[row] as number) / 1000);
  }
}

/** The columnar form of `pairedRoundTrips`. */
function addRatios(part: RowPart, groups: Int32Array, rowsOf: (group: number) => ScenarioRows): void {
  const { columns, metrics: measures } = part;
  const trips = measures.ownTrips();
  const schemes = columns.text('scheme');
  const https = schemes.entries.indexOf('https');
  const tls = columns.number('tls');
  const origin = columns.origin();
  const clocks = columns.origins.map(({ clockStep }) => clockStep);
  for (const row of measures.rows('tcp')) {
    const group = groups[row] as number;
    const tcp = trips[row] as number;
    if (group < 0 || schemes.codes[row] !== https || tls[row] === NULL) continue;
    if (canDivideBy(tcp, clocks[origin[row] as number] as number))
      rowsOf(group).ratios.push((tls[row] as number) / tcp);
  }
}

function addRates(
  { columns, metrics: measures }: RowPart,
  groups: Int32Array,
  rowsOf: (group: number) => ScenarioRows,
): void {
  const usable = measures.usable();
  const known = (value: number) => (value === NULL ? null : value);
  const sizes = columns.number('encodedBodySize');
  const wait = columns.number('wait');
  const receive = columns.number('receive');
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row] as number;
    if (group < 0 || usable[row] === 0) continue;
    const rate = largeBodyRate(known(sizes[row] as number), known(wait[row] as number), known(receive[row] as number));
    if (rate !== null) rowsOf(group).rates.push(rate);
  }
}

function addTls(columns: SampleColumns, groups: Int32Array, rowsOf: (group: number) => ScenarioRows): void {
  const texts = (['tlsVersion', 'tlsCipher', 'tlsKeyExchange', 'tlsIssuer'] as const).map((name) => columns.text(name));
  // Chromium reports none of these.
  if (texts.every(({ entries }) => entries.length === 0)) return;
  const [version, cipher] = texts;
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row] as number;
    if (group < 0 || texts.every(({ codes }) => codes[row] === NULL)) continue;
    const named = {
      version: version?.entries[version.codes[row] as number] ?? UNKNOWN_TLS,
      cipher: cipher?.entries[cipher.codes[row] as number] ?? UNKNOWN_TLS,
    };
    const { tls } = rowsOf(group);
    const id = `${named.version} ${named.cipher}`;
    const count = tls.get(id) ?? { ...named, n: 0 };
    count.n++;
    tls.set(id, count);
  }
}

function add(sum: Sum, value: number): void {
  sum.n++;
  sum.sum += value;
}

/** The facts of several parts together. */
export function scenarioFactsOf(parts: readonly ScenarioRows[]): ScenarioFacts {
  const whole = newScenarioRows();
  const together = (into: Sum, sum: Sum) => {
    into.n += sum.n;
    into.sum += sum.sum;
  };
  for (const part of parts) {
    together(whole.transferred, part.transferred);
    together(whole.body, part.body);
    together(whole.serverTime, part.serverTime);
    for (const [name, sum] of part.metrics) {
      const into = whole.metrics.get(name) ?? { n: 0, sum: 0 };
      together(into, sum);
      whole.metrics.set(name, into);
    }
    for (const [id, count] of part.tls) {
      const into = whole.tls.get(id) ?? { ...count, n: 0 };
      into.n += count.n;
      whole.tls.set(id, into);
    }
  }
  const ratios = Float64Array.from(parts.flatMap((part) => part.ratios)).sort();
  const mean = ({ n, sum }: Sum) => (n === 0 ? null : sum / n);
  const total = ({ n, sum }: Sum) => (n === 0 ? null : sum);
  return {
    roundTrips: ratios[quantileRank(0.5, ratios.length)] ?? null,
    transferred: total(whole.transferred),
    body: total(whole.body),
    throughput: medianRate(parts.flatMap((part) => part.rates)),
    serverTime: mean(whole.serverTime),
    metrics: new Map([...whole.metrics].map(([name, sum]) => [name, mean(sum)])),
    tls: sortTlsCounts(whole.tls.values()),
  };
}
