import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';
import { UNKNOWN_FACTS } from '../tables/scenario-facts.ts';
import type { ScenarioGroup } from '../tables/scenario-groups.ts';
import { isProven, type LoadedRequest, type LoadScenario } from './loaded-request.ts';

/** `performance.now()` is finer still, µs. */
const CLOCK_STEP = 1;
const NOTHING: Distribution = exactDistribution([]);

/** What came of the requests of one second. */
interface Second {
  readonly codes: Map<string, number>;
  readonly total: Sketch;
}

/** The requests of one scenario as counts and histograms: memory does not grow with their number. */
export class LoadCounts {
  readonly scenario: LoadScenario;
  requests = 0;
  warmup = 0;
  /** Complete responses whose own socket does not prove the scenario, such as the first one on a connection. */
  unproven = 0;
  bytes = 0;
  /** Bytes of the bodies of successful answers: more than one size says that not always the same thing was measured. */
  readonly bodies = { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };
  /** While it was measured, s. */
  seconds = 0;
  /** Answered with 2xx. */
  good = 0;
  /** With an arrival rate: requests that never began, since no user was free in time. */
  neverBegun = 0;
  readonly codes = new Map<string, number>();
  /** What came of the warm-up, which may be all there is. */
  readonly warmupCodes = new Map<string, number>();
  readonly handshakes = { full: 0, resumed: 0 };
  /** What the last handshake agreed on; null without one. */
  tls: string | null = null;
  readonly #connections = { new: 0, reused: 0 };
  /** Keyed by whole seconds since the start of the run. */
  readonly bySecond = new Map<number, Second>();
  readonly #times = { tcp: new Sketch(), tls: new Sketch(), setup: new Sketch(), perRequest: new Sketch() };
  readonly #rest = { wait: new Sketch(), receive: new Sketch(), processing: new Sketch(), total: new Sketch() };
  /** From the moment at which each should have begun. */
  readonly corrected = new Sketch();

  constructor(scenario: LoadScenario) {
    this.scenario = scenario;
  }

  /** @param since the start of the run, by the clock of the request */
  add(request: LoadedRequest, since: number, isWarmup: boolean): void {
    const { connection, sentAt, firstByteAt, endedAt, status, error } = request;
    const code = error ?? String(status);
    this.requests++;
    this.tls = connection?.tls ?? this.tls;
    if (isWarmup) {
      this.warmup++;
      this.warmupCodes.set(code, (this.warmupCodes.get(code) ?? 0) + 1);
      return;
    }
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    const total = micros(endedAt - request.startedAt);
    const at = Math.floor((endedAt - since) / 1000);
    const second = this.bySecond.get(at) ?? { codes: new Map(), total: new Sketch() };
    this.bySecond.set(at, second);
    second.codes.set(code, (second.codes.get(code) ?? 0) + 1);
    second.total.add(total);
    if (connection?.handshake) this.handshakes[connection.handshake]++;
    this.#connections[connection === null ? 'reused' : 'new']++;
    if (error !== null || status === null || !isGood(status) || sentAt === null || firstByteAt === null) return;
    this.good++;
    this.bytes += request.bytes;
    this.bodies.least = Math.min(this.bodies.least, request.bytes);
    this.bodies.most = Math.max(this.bodies.most, request.bytes);
    if (!isProven(request)) {
      this.unproven++;
      return;
    }
    const setup =
      connection === null ? 0 : micros((connection.securedAt ?? connection.connectedAt) - connection.startedAt);
    if (connection !== null) {
      this.#times.tcp.add(micros(connection.connectedAt - connection.startedAt));
      if (connection.securedAt !== null) this.#times.tls.add(micros(connection.securedAt - connection.connectedAt));
      this.#times.setup.add(setup);
    }
    this.#times.perRequest.add(setup);
    this.#rest.wait.add(micros(firstByteAt - sentAt));
    this.#rest.receive.add(micros(endedAt - firstByteAt));
    this.#rest.processing.add(total - setup);
    this.#rest.total.add(total);
    this.corrected.add(micros(endedAt - Math.min(request.intendedAt, request.startedAt)));
  }

  /** As the views know it. */
  toGroup(): ScenarioGroup & { readonly durationSeconds: number } {
    const { codes, unproven, warmup, requests, bytes, seconds } = this;
    const { tcp, tls, setup, perRequest } = this.#times;
    const { wait, receive, processing, total } = this.#rest;
    const isNew = setup.n > 0;
    const failed = [...codes].reduce((sum, [code, n]) => sum + (/^\d+$/.test(code) ? 0 : n), 0);
    const status = [...codes].reduce(
      (sum, [code, n]) => sum + (/^\d+$/.test(code) && !isGood(Number(code)) ? n : 0),
      0,
    );
    const read = (sketch: Sketch) => sketch.build();
    return {
      scenario: this.scenario,
      source: 'load',
      durationSeconds: seconds,
      facts: { ...UNKNOWN_FACTS, body: bytes },
      counts: {},
      aggregate: {
        key: {},
        samples: requests,
        browsers: null,
        evidence: {
          usable: total.n,
          opaque: 0,
          cache: 0,
          excluded: { warmup, unproven, failed, status },
        },
        connections: this.#connections,
        status: Object.fromEntries([...codes].filter(([code]) => /^\d+$/.test(code))),
        times: {
          blocked: NOTHING,
          dns: NOTHING,
          tcp: read(tcp),
          tls: read(tls),
          wait: read(wait),
          receive: read(receive),
          ttfb: NOTHING,
          ttlb: read(total),
        },
        unknown: {},
        setupPerConnection: read(setup),
        setupPerRequest: read(perRequest),
        ttlbWithoutSetup: read(processing),
        setupUnknown: 0,
        serverShare: NOTHING,
        reusedServerShare: { share: NOTHING, basis: { site: 0, none: isNew ? 0 : total.n } },
        roundTrip: read(tcp),
        waitRoundTrips: null,
        complete: total.n,
        clockStep: CLOCK_STEP,
      },
    };
  }
}

function isGood(status: number): boolean {
  return status >= 200 && status <= 299;
}

function micros(ms: number): number {
  return Math.max(0, Math.round(ms * 1000));
}
