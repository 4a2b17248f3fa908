import { peaks } from '../../../shared/statistics/peaks.ts';
import { sharesAbove } from '../../../shared/statistics/shares-above.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { LoadCounts } from './load-counts.ts';

/** What the server's own metrics say of one scenario's measured parts. */
export interface ServerCost {
  /** CPU seconds. */
  readonly cpu: number;
  readonly seconds: number;
  /** Growth of each counter of TLS sessions and handshakes. */
  readonly tls: Readonly<Record<string, number>>;
}

/** One scenario of a load as numbers; times in ms. */
export function scenarioDocument(counts: LoadCounts, server: ServerCost | null) {
  const { scenario, seconds, requests, warmup, good, unproven, bytes, bodies, codes, handshakes, bySecond } = counts;
  const { aggregate } = counts.toGroup();
  const { evidence, times, setupPerRequest, setupPerConnection, ttlbWithoutSetup } = aggregate;
  const answered = requests - warmup;
  const statistics = (of: typeof times.ttlb) => {
    const found = timeStatistics(of, aggregate.clockStep);
    if (found === null) return null;
    const {
      keepMeasuring: _keep,
      variesWidely: _varies,
      belowClockStep: _step,
      medianInterval: _interval,
      ...rest
    } = found;
    return rest;
  };
  const shareOver = (ms: number) => sharesAbove(times.ttlb, [1000 * ms])?.[0]?.share ?? null;
  const perSecond = (n: number) => (seconds === 0 ? null : n / seconds);
  const hands = handshakes.full + handshakes.resumed;
  return {
    scenario,
    seconds,
    requests,
    warmup,
    neverBegun: counts.neverBegun,
    usable: evidence.usable,
    unproven,
    codes: Object.fromEntries(codes),
    warmupCodes: Object.fromEntries(counts.warmupCodes),
    /** Bytes; both null without a successful answer. */
    bodies: bodies.least > bodies.most ? { least: null, most: null } : bodies,
    /** Answered with 2xx. */
    perSecond: perSecond(good),
    kbPerSecond: perSecond(bytes / 1024),
    handshakes,
    /** Protocol, cipher, group and key: `TLSv1.3, TLS_AES_256_GCM_SHA384, X25519, RSA 2048`. */
    tls: counts.tls,
    handshakesPerSecond: perSecond(hands),
    times: {
      tcp: statistics(times.tcp),
      tls: statistics(times.tls),
      connect: statistics(setupPerRequest),
      connectOfNew: statistics(setupPerConnection),
      processing: statistics(ttlbWithoutSetup),
      waiting: statistics(times.wait),
      total: statistics(times.ttlb),
      /** From the moment at which each should have begun. */
      corrected: statistics(counts.corrected.build()),
    },
    over: { 200: shareOver(200), 1000: shareOver(1000) },
    peaks: (peaks(times.ttlb, aggregate.clockStep ?? 0) ?? []).map(({ at, share }) => ({ at: at / 1000, share })),
    histogram: times.ttlb.bins().map(({ from, to, count }) => ({ from: from / 1000, to: to / 1000, count })),
    bySecond: [...bySecond]
      .sort(([a], [b]) => a - b)
      .map(([second, { codes: of, total }]) => {
        const { n, median = null } = statistics(total.build()) ?? {};
        return { second, n: n ?? 0, median, codes: Object.fromEntries(of) };
      }),
    server:
      server === null
        ? null
        : {
            ...server,
            cores: server.cpu / server.seconds,
            cpuMsPerRequest: answered === 0 ? null : (1000 * server.cpu) / answered,
            cpuMsPerHandshake: scenario.includes('-new') && hands > 0 ? (1000 * server.cpu) / hands : null,
          },
  };
}
export type ScenarioLoad = ReturnType<typeof scenarioDocument>;
