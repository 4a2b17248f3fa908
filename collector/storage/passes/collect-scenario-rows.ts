import { NULL, type SampleColumns } from '../../../shared/sample/sample-columns.ts';
import {
  canDivideBy,
  largeBodyRate,
  type ScenarioRows,
  type Sum,
  UNKNOWN_TLS,
} from '../../reductions/scenario-rows.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import type { RowPart } from './row-part.ts';

/** In the order of the groups. Complete once the pass has run. */
export function collectScenarioRows(pass: RangePass, groups: QueryGroups): readonly ScenarioRows[] {
  const all: ScenarioRows[] = [];
  const rowsOf = (group: number): ScenarioRows => {
    while (all.length <= group) all.push(newScenarioRows());
    return all[group] as ScenarioRows;
  };
  pass.rows((part) => {
    if (groups.hasRows(part)) addRows(part, groups.groupsOfRows(part), rowsOf);
  });
  return all;
}

function newScenarioRows(): ScenarioRows {
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

function addRows(part: RowPart, groups: Int32Array, rowsOf: (group: number) => ScenarioRows): void {
  addSums(part, groups, rowsOf);
  addRatios(part, groups, rowsOf);
  addRates(part, groups, rowsOf);
  addTls(part.columns, groups, rowsOf);
  addMetrics(part, groups, rowsOf);
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

/** Paired within each new connection over HTTPS, so that near and far hosts do not mix. */
function addRatios(part: RowPart, groups: Int32Array, rowsOf: (group: number) => ScenarioRows): void {
  const { columns, metrics } = part;
  const trips = metrics.ownTrips();
  const schemes = columns.text('scheme');
  const https = schemes.strings.indexOf('https');
  const tls = columns.number('tls');
  const origin = columns.origin();
  const clocks = columns.origins.map(({ clockStep }) => clockStep);
  for (const row of metrics.rows('tcp')) {
    const group = groups[row] as number;
    const tcp = trips[row] as number;
    if (group < 0 || schemes.codes[row] !== https || tls[row] === NULL) continue;
    if (canDivideBy(tcp, clocks[origin[row] as number] as number))
      rowsOf(group).ratios.push((tls[row] as number) / tcp);
  }
}

function addRates({ columns, metrics }: RowPart, groups: Int32Array, rowsOf: (group: number) => ScenarioRows): void {
  const usable = metrics.usable();
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
  // Chromium reports none of them.
  if (texts.every(({ strings }) => strings.length === 0)) return;
  const [version, cipher] = texts;
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row] as number;
    if (group < 0 || texts.every(({ codes }) => codes[row] === NULL)) continue;
    const named = {
      version: version?.strings[version.codes[row] as number] ?? UNKNOWN_TLS,
      cipher: cipher?.strings[cipher.codes[row] as number] ?? UNKNOWN_TLS,
    };
    const { tls } = rowsOf(group);
    const id = `${named.version} ${named.cipher}`;
    const count = tls.get(id) ?? { ...named, n: 0 };
    count.n++;
    tls.set(id, count);
  }
}

function addMetrics(part: RowPart, groups: Int32Array, rowsOf: (group: number) => ScenarioRows): void {
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

function add(sum: Sum, value: number): void {
  sum.n++;
  sum.sum += value;
}
