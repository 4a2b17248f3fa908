import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import type { ScenarioLoad } from './load-document.ts';
import type { LoadScenario } from './loaded-request.ts';

/** Why a run ended before its time. */
export const LOAD_STOPS = {
  interrupted: 'It was interrupted: these are the results so far.',
  refused: 'The server answered X-Lastbyte-Load: no, so the load ended at once.',
  unauthorized:
    'Fifty answers in a row were 401: the server refuses requests instead of serving them, which is faster. The load ended; give --authorization.',
  unreachable: 'Connections no longer succeeded, so the load ended.',
  too_many_files: 'This machine has no file descriptors left, so the load ended: raise ulimit -n, or use fewer users.',
} as const;
export type LoadStop = keyof typeof LOAD_STOPS;

/** Each scenario, its baseline, and the name of what it adds to that. */
const PRICES: readonly (readonly [LoadScenario, LoadScenario, string])[] = [
  ['https-reused', 'http-reused', 'HTTPS instead of HTTP, on a connection that is there'],
  ['http-new', 'http-reused', 'A new connection for each request, without TLS'],
  ['https-new-resumed', 'https-reused', 'A new connection for each request, with a resumed session'],
  ['https-new-full', 'https-reused', 'A new connection for each request, with a full handshake'],
];

export interface LoadFacts {
  readonly stopped: LoadStop | null;
  /** Share of the measured time for which this machine's one thread computed. */
  readonly busy: number;
  /** How often the server's metrics could not be read. */
  readonly failedReadings: number;
}

/** From here on, requests wait for each other in the client. */
const BUSY = 0.9;

/** The sentences of a load, most important first. */
export function loadPoints(scenarios: readonly ScenarioLoad[], { stopped, busy, failedReadings }: LoadFacts): string[] {
  return [
    ...(stopped === null ? [] : [LOAD_STOPS[stopped]]),
    ...(busy < BUSY
      ? []
      : [
          `This machine computed for ${(100 * busy).toFixed(0)} % of the time: times are partly its own. Use fewer users, or several machines.`,
        ]),
    ...(failedReadings === 0
      ? []
      : [
          `The server’s metrics could not be read ${failedReadings} times; a scenario in which that happened has no cost.`,
        ]),
    ...scenarios.flatMap(troubles),
    ...PRICES.flatMap(([name, base, what]) => {
      const [own, other] = [name, base].map((each) => scenarios.find(({ scenario }) => scenario === each)?.times.total);
      if (!own || !other) return [];
      return [
        `${what}: ${difference(own.median, other.median)} in the median, ${difference(own.p99, other.p99)} at p99.`,
      ];
    }),
  ];
}

function troubles(load: ScenarioLoad): string[] {
  const { scenario, usable, unproven, requests, warmup, neverBegun, codes, bodies } = load;
  const answered = requests - warmup;
  const other = Object.entries(codes).filter(([code]) => !/^2/.test(code));
  const failed = other.reduce((sum, [, n]) => sum + n, 0);
  const named = (of: readonly (readonly [string, number])[]) => of.map(([code, n]) => `${n} × ${code}`).join(', ');
  return [
    ...(answered > 0 ? [] : [`${scenario}: it ended in the warm-up (${named(Object.entries(load.warmupCodes))}).`]),
    ...(neverBegun === 0
      ? []
      : [`${scenario}: ${neverBegun} requests never began, because no user was free for them.`]),
    ...(failed === 0
      ? []
      : [`${scenario}: ${failed} of ${answered} requests were not answered with 2xx (${named(other)}).`]),
    ...(usable === 0 && unproven > 0
      ? [
          scenario === 'https-new-resumed'
            ? `${scenario}: the server resumed no session in ${unproven} connections, so there are no times.`
            : `${scenario}: none of ${unproven} answers proves it, so there are no times. Does the server close connections?`,
        ]
      : []),
    ...(bodies.least === bodies.most
      ? []
      : [
          `${scenario}: bodies had ${bodies.least} to ${bodies.most} bytes, so not always the same thing was measured.`,
        ]),
  ];
}

/** Histograms tell two times apart from this part of them on. */
const TOLD_APART = 2 * SKETCH_BOUND;

function difference(own: number, other: number): string {
  const more = own - other;
  if (Math.abs(more) <= TOLD_APART * other) return 'no difference';
  const digits = Math.abs(more) < 10 ? 2 : 0;
  return `${Math.abs(more).toFixed(digits)} ms ${more < 0 ? 'less' : 'more'}`;
}
