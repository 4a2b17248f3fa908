import { fillColumns, type TableDocument } from '../tables/table-document.ts';
import type { ScenarioLoad } from './load-document.ts';

/** What came back. Look at these first: a server refuses faster than it answers. */
export function codesTable(scenarios: readonly ScenarioLoad[]): TableDocument {
  const rows = scenarios.flatMap(({ scenario, codes, requests, warmup }) =>
    Object.entries(codes)
      .sort(([, a], [, b]) => b - a)
      .map(([code, count]) => ({ scenario, code, count, share: count / (requests - warmup) })),
  );
  return {
    title: 'Result codes',
    ...fillColumns(rows, [
      ['scenario', 'Scenario', 'text'],
      ['code', 'Code', 'text'],
      ['count', 'Requests', 'count'],
      ['share', 'Share', 'share'],
    ]),
    notes: [],
  };
}

/** How fast, and how many took far too long. */
export function resultsTable(scenarios: readonly ScenarioLoad[]): TableDocument {
  const base = scenarios[0]?.times.total?.median ?? null;
  return {
    title: 'Results',
    ...fillColumns(scenarios, [
      ['scenario', 'Scenario', 'text'],
      ['perSecond', 'Requests', 'per_second'],
      ['kbPerSecond', 'Bodies', 'kb_per_second'],
      ['median', 'Median', 'ms', ({ times }) => times.total?.median ?? null],
      ['p95', 'p95', 'ms', ({ times }) => times.total?.p95 ?? null],
      ['p99', 'p99', 'ms', ({ times }) => times.total?.p99 ?? null],
      ['over200', 'Over 200 ms', 'share', ({ over }) => over[200]],
      ['over1000', 'Over 1 s', 'share', ({ over }) => over[1000]],
      ['ratio', 'Median ÷ first', 'ratio', ({ times }) => (times.total && base ? times.total.median / base : null)],
    ]),
    notes: ['Rates and times are those of answers with 2xx; whatever failed or timed out is under Result codes.'],
  };
}

/** Whether each request was what its scenario says. */
export function proofTable(scenarios: readonly ScenarioLoad[]): TableDocument {
  return {
    title: 'Proof',
    ...fillColumns(scenarios, [
      ['scenario', 'Scenario', 'text'],
      ['handshakesPerSecond', 'Handshakes', 'per_second'],
      ['full', 'Full', 'count', ({ handshakes }) => handshakes.full],
      ['resumed', 'Resumed', 'count', ({ handshakes }) => handshakes.resumed],
      ['usable', 'Usable', 'count'],
      ['unproven', 'Unproven', 'count'],
      ['warmup', 'Warm-up', 'count'],
      ['tls', 'TLS', 'text'],
      [
        'peaks',
        'Peaks',
        'text',
        ({ peaks }) =>
          peaks.map(({ at, share }) => `${Number(at.toPrecision(2))} ms (${(100 * share).toFixed(0)} %)`).join(', '),
      ],
    ]),
    notes: [
      'Unproven: the client’s own socket says that the request opened a connection, or resumed a session, where its scenario does not, or the other way round. Such requests are in the rates and not in the times. Peaks are shown from 200 requests on.',
    ],
  };
}

/**
 * With an arrival rate, a request that finds no free user begins late. Raw times begin when it was sent, corrected ones when it should
 * have been: what a user would have waited.
 */
export function correctionTable(scenarios: readonly ScenarioLoad[], rate: number): TableDocument {
  const rows = scenarios.flatMap(({ scenario, perSecond, times: { total: raw, corrected } }) =>
    raw === null || corrected === null ? [] : [{ scenario, perSecond, raw, corrected }],
  );
  return {
    title: `At ${rate} requests a second`,
    ...fillColumns(rows, [
      ['scenario', 'Scenario', 'text'],
      ['perSecond', 'Reached', 'per_second'],
      ['median', 'Median, raw', 'ms', ({ raw }) => raw.median],
      ['correctedMedian', 'Median, corrected', 'ms', ({ corrected }) => corrected.median],
      ['p99', 'p99, raw', 'ms', ({ raw }) => raw.p99],
      ['correctedP99', 'p99, corrected', 'ms', ({ corrected }) => corrected.p99],
      ['hidden', 'Hidden at p99', 'ms', ({ raw, corrected }) => corrected.p99 - raw.p99],
      ['max', 'Longest, corrected', 'ms', ({ corrected }) => corrected.max],
    ]),
    notes: [
      'Raw times begin when a request was sent; corrected ones when it should have been, had every user been free (coordinated omission).',
    ],
  };
}

/** What the server paid, by its own metrics. */
export function serverTable(scenarios: readonly ScenarioLoad[], counter: string): TableDocument {
  const rows = scenarios.flatMap(({ scenario, server }) => (server === null ? [] : [{ scenario, ...server }]));
  const reused = rows.find(({ scenario }) => scenario === 'https-reused')?.cpuMsPerRequest ?? null;
  return {
    title: 'What the server paid',
    ...fillColumns(rows, [
      ['scenario', 'Scenario', 'text'],
      ['cores', 'CPU, cores', 'number'],
      ['cpuMsPerRequest', 'CPU per request', 'ms'],
      [
        'handshake',
        'More than reused',
        'ms',
        ({ scenario, cpuMsPerRequest }) =>
          reused === null || cpuMsPerRequest === null || !scenario.startsWith('https-new')
            ? null
            : cpuMsPerRequest - reused,
      ],
      [
        'tls',
        'TLS counters',
        'text',
        ({ tls }) =>
          Object.entries(tls)
            .flatMap(([name, n]) => (n === 0 ? [] : `${name} +${n}`))
            .join(', '),
      ],
    ]),
    notes: [
      `CPU time from ${counter}, which includes any other work on that machine. More than reused: the additional cost of a new connection and its handshake.`,
    ],
  };
}
