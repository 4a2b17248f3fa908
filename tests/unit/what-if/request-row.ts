import { createWaits, type Waits } from '../../../collector/analysis/findings/waits.ts';
import { type RequestRow, tableOf } from '../findings/request-rows.ts';

export const START = Date.UTC(2026, 8, 7, 9);

export type RowChanges = Partial<Omit<RequestRow, 'times'>> & { readonly times?: Partial<RequestRow['times']> };

/** A request of 20 ms on an open connection, except for what is said. */
export function row({ times, ...changes }: RowChanges = {}): RequestRow {
  return {
    target: 'erp',
    host: 'erp.example.com',
    template: '/list',
    type: 'document',
    client: 'browser-0',
    site: 'Berlin',
    at: START,
    outcome: 'usable',
    connection: 'reused',
    handshake: 'unknown',
    protocol: 'h2',
    issuer: 'CN=CA',
    size: 1000,
    idle: 1000,
    ...changes,
    times: { blocked: 0, dns: 0, tcp: 0, tls: 0, wait: 18, receive: 2, redirect: 0, ...times },
  };
}

export function waitsOf(rows: readonly RequestRow[]): Waits {
  return createWaits(tableOf(rows), () => 0);
}

/** The same for each browser, a minute apart for each round. */
export function eachOf(
  browsers: number,
  rounds: number,
  of: (browser: number, round: number) => RowChanges[],
): RequestRow[] {
  return Array.from({ length: browsers }, (_, browser) =>
    Array.from({ length: rounds }, (_, round) =>
      of(browser, round).map((changes) =>
        row({ client: `browser-${browser}`, at: START + round * 60_000, ...changes }),
      ),
    ),
  ).flat(2);
}
