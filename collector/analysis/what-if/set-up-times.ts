import { CONNECTION } from '../../reductions/request-table.ts';
import { findMedian } from '../findings/like-medians.ts';
import type { Waits } from '../findings/waits.ts';

/** What opening the connection of a request took, ms; 0 if its parts are unknown. */
export function rowSetUp({ left }: Waits, row: number): number {
  const known = (value: number) => (Number.isNaN(value) ? 0 : value);
  return known(left.dns[row] as number) + known(left.tcp[row] as number) + known(left.tls[row] as number);
}

/**
 * What is typical of new connections from a request's site to its host; NaN if none was opened.
 *
 * @param msOf NaN or 0 if unknown
 */
export function typicalOfNew(
  { timed, table, site, host, hosts }: Waits,
  msOf: (row: number) => number,
): (row: number) => number {
  const values = new Map<number, number[]>();
  const add = (key: number, ms: number) => {
    const own = values.get(key);
    if (own === undefined) values.set(key, [ms]);
    else own.push(ms);
  };
  // The first keys are hosts from anywhere, the others are hosts as seen from a site.
  const keyAt = (row: number) => hosts.length * (2 + (site[row] as number)) + (host[row] as number);
  for (const row of timed) {
    const ms = msOf(row);
    if (table.connection[row] !== CONNECTION.new || !(ms > 0)) continue;
    add(host[row] as number, ms);
    add(keyAt(row), ms);
  }
  const medians = new Map([...values].map(([key, own]) => [key, findMedian(Float64Array.from(own))]));
  return (row) => medians.get(keyAt(row)) ?? medians.get(host[row] as number) ?? Number.NaN;
}
