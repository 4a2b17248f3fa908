import type { Scenario } from '../../shared/vocabulary/vocabulary.ts';
import { type Browser, hostState, isWithin, localHour } from './browser.ts';
import type { AppPlan, FleetPlan, HostPlan, PagePlan, ResourcePlan } from './plan.ts';
import type { Exchange, Line, Wanted } from './play-request.ts';
import { RandomStream } from './random-stream.ts';
import { type Asked, reportCached, reportHidden, reportRequest } from './report-request.ts';
import type { Row } from './write-batch.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
/** Tabs in the background. */
const HIDDEN_SHARE = 0.02;
const RESET_SHARE = 0.0004;
const LONG_POLL_MS = 30_000;
/** Polls that an event ends early. */
const EARLY_POLL_SHARE = 0.12;
/** A proxy in front closes streams after this long, and the page opens the next. */
const STREAM_MS = 55_000;
const PROBE_SHARE = 0.02;
const RUN: readonly Scenario[] = ['https-new', 'https-reused', 'https-new', 'https-reused'];

/** A request that was played, before the browser reports it. */
interface Played {
  readonly asked: Asked;
  readonly exchange: Exchange;
  readonly revalidated: boolean;
}

export interface ViewPlayer {
  /** Adds the rows of one page view, which begins at `at` and is left after `dwell`; returns when its last request ended. */
  page(browser: Browser, app: AppPlan, at: number, dwell: number, random: RandomStream, rows: Row[]): number;
  /** The browser's probes of one day. */
  probes(browser: Browser, day: number): Row[];
}

export function createViewPlayer(plan: FleetPlan, line: Line): ViewPlayer {
  const hosts = new Map(plan.hosts.map((host) => [host.name, host]));
  const hostNamed = (name: string): HostPlan => {
    const host = hosts.get(name);
    if (host === undefined) throw new Error(`The plan ${plan.name} has no host ${name}.`);
    return host;
  };
  const numbers = new Map<ResourcePlan, number>();
  for (const app of plan.apps)
    for (const page of app.pages) for (const r of page.resources) numbers.set(r, fileNumber(r));
  const probing = plan.probes.map((probe) => ({ ...probe, host: { ...hostNamed(probe.host), tellsHandshake: false } }));
  const chanceOfProbe = probeChance(plan);

  return {
    page(browser, app, at, dwell, random, rows) {
      return new View({ line, hostNamed, numbers }, browser, app, random).play(at, dwell, rows);
    },
    probes(browser, day) {
      const rows: Row[] = [];
      const random = new RandomStream(plan.seed, 6, browser.number, day);
      for (const { app, host, template, sites, everyMinutes } of probing) {
        if (!sites.includes(browser.site.name)) continue;
        const midnight = plan.from + day * DAY_MS - browser.site.zoneHours * HOUR_MS;
        const [from, to] = browser.site.hours;
        for (let at = midnight + from * HOUR_MS; at < midnight + to * HOUR_MS; at += everyMinutes * 60_000) {
          if (!random.chance(chanceOfProbe)) continue;
          rows.push(...run(browser, line, { app, host, template }, at + random.uniform() * 60_000, random));
        }
      }
      return rows;
    },
  };
}

/** Files of one address are one file to the cache, whichever page wants them. */
function fileNumber({ host, template, type }: ResourcePlan): number {
  let number = 7;
  for (const letter of `${host} ${template} ${type}`) number = (Math.imul(number, 31) + letter.charCodeAt(0)) | 0;
  return number;
}

function probeChance(plan: FleetPlan): number {
  const wanted = plan.samples * PROBE_SHARE;
  let possible = 0;
  for (const probe of plan.probes) {
    for (const site of plan.sites) {
      if (!probe.sites.includes(site.name)) continue;
      possible +=
        (site.browsers * plan.days * ((site.hours[1] - site.hours[0]) * 60 * RUN.length)) / probe.everyMinutes;
    }
  }
  return possible === 0 ? 0 : Math.min(1, wanted / possible);
}

function run(
  browser: Browser,
  line: Line,
  probe: { readonly app: string; readonly host: HostPlan; readonly template: string },
  start: number,
  random: RandomStream,
): Row[] {
  let at = start;
  return RUN.map((scenario) => {
    // Its own connections: a probe shares none with pages.
    if (scenario === 'https-new') hostState(browser, probe.host).connections = [];
    const exchange = line.play(browser, { host: probe.host, at, serverMs: 3, spread: 0.3, bytes: 400 }, random);
    at = exchange.end + 200;
    const { app: target, host, template } = probe;
    const asked = { target, host, template, type: 'fetch', source: `probe-${scenario}`, bytes: 400 } as const;
    return reportRequest(
      browser,
      { ...asked, idleMs: null, status: 200, hidden: false, opaque: false, redirectMs: 0 },
      exchange,
      random,
    );
  });
}

interface Surroundings {
  readonly line: Line;
  readonly hostNamed: (name: string) => HostPlan;
  readonly numbers: ReadonlyMap<ResourcePlan, number>;
}

/** One page view: its requests in the order in which the page makes them. */
class View {
  readonly #played: Played[] = [];
  readonly #rows: Row[] = [];
  readonly #hidden: boolean;

  readonly #line: Line;
  readonly #browser: Browser;
  readonly #app: AppPlan;
  readonly #random: RandomStream;
  readonly #hostNamed: (name: string) => HostPlan;
  readonly #numbers: ReadonlyMap<ResourcePlan, number>;

  constructor({ line, hostNamed, numbers }: Surroundings, browser: Browser, app: AppPlan, random: RandomStream) {
    this.#line = line;
    this.#hostNamed = hostNamed;
    this.#numbers = numbers;
    this.#browser = browser;
    this.#app = app;
    this.#random = random;
    this.#hidden = random.chance(HIDDEN_SHARE);
  }

  play(at: number, dwell: number, rows: Row[]): number {
    const random = this.#random;
    const page = random.pick(this.#app.pages);
    const abandoned = random.chance(this.#app.abandonShare);
    const document = this.#document(page, at);
    let end = document.end;
    if (document.ok) end = this.#resources(page, document.firstByte, end);
    const leaves = abandoned ? at + (end - at) * (0.2 + 0.8 * random.uniform()) : Number.POSITIVE_INFINITY;
    if (document.ok && !abandoned && page.live !== undefined) this.#live(page.live, end, Math.max(end, at + dwell));
    this.#report(leaves);
    rows.push(...this.#rows);
    return Math.min(end, leaves);
  }

  #document(page: PagePlan, at: number) {
    const host = this.#hostNamed(this.#app.host);
    const wanted = {
      host,
      at,
      serverMs: page.serverMs,
      spread: page.spread,
      bytes: page.bytes,
      hops: page.redirects ?? 0,
    };
    const redirectMs = this.#line.hopsMs(this.#browser, wanted, this.#random);
    const { exchange, ok } = this.#request({ ...wanted, at: at + redirectMs }, page.template, 'document', redirectMs);
    return { end: exchange.end, firstByte: exchange.end - exchange.receive, ok };
  }

  #resources(page: PagePlan, firstByte: number, documentEnd: number): number {
    const random = this.#random;
    let end = documentEnd;
    let begin = firstByte + random.lognormal(12, 0.4);
    for (const stage of [1, 2, 3] as const) {
      let offset = 0;
      let stageEnd = begin;
      for (const resource of page.resources) {
        if (resource.stage !== stage) continue;
        for (let i = 0; i < resource.count; i++) {
          stageEnd = Math.max(stageEnd, this.#resource(resource, i, begin + offset));
          offset += 0.4 + random.uniform();
        }
      }
      end = Math.max(end, stageEnd);
      begin = Math.max(stageEnd, stage === 1 ? documentEnd : begin) + random.lognormal(18, 0.5);
    }
    return end;
  }

  /** @returns when it ended */
  #resource(resource: ResourcePlan, index: number, at: number): number {
    const random = this.#random;
    const { template, type, bytes, spread } = resource;
    const host = this.#hostNamed(resource.host);
    const file = (this.#numbers.get(resource) ?? 0) * 64 + index;
    const keptUntil = resource.cacheMs > 0 ? (this.#browser.cache.get(file) ?? 0) : 0;
    if (at < keptUntil) {
      const took = random.lognormal(2, 0.5);
      this.#rows.push(reportCached(this.#browser, this.#asked(host, template, type, bytes, 200, 0), at, took));
      return at + took;
    }
    const revalidated = keptUntil > 0 && random.chance(0.6);
    const changed = resource.change !== undefined && this.#line.dayOf(at) >= resource.change.day;
    const serverMs = resource.serverMs * (changed ? (resource.change?.serverFactor ?? 1) : 1);
    const wanted = { host, at, serverMs, spread, bytes: revalidated ? 0 : bytes };
    const { exchange, ok } = this.#request(wanted, template, type, 0, revalidated);
    if (ok && resource.cacheMs > 0) this.#browser.cache.set(file, exchange.end + resource.cacheMs);
    return exchange.end;
  }

  #live(live: NonNullable<PagePlan['live']>, from: number, to: number): void {
    const random = this.#random;
    const host = this.#hostNamed(live.host);
    for (let at = from + 50; at < to; ) {
      const early = live.kind === 'long_poll' && random.chance(EARLY_POLL_SHARE);
      const last = early ? random.uniform() * LONG_POLL_MS : LONG_POLL_MS;
      const wanted: Wanted =
        live.kind === 'long_poll'
          ? { host, at, serverMs: last, spread: 0, bytes: 300, exact: true }
          : { host, at, serverMs: 8, spread: 0.3, bytes: 900, streamMs: STREAM_MS };
      const { exchange } = this.#request(wanted, live.template, 'fetch', 0);
      at = exchange.end + 20;
    }
    this.#left = to;
  }

  /** When the user goes away from a page with an open request. */
  #left = Number.POSITIVE_INFINITY;

  #request(
    wanted: Wanted,
    template: string,
    type: ResourcePlan['type'],
    redirectMs: number,
    revalidated = false,
  ): { exchange: Exchange; ok: boolean } {
    const random = this.#random;
    const { host, at } = wanted;
    const status = this.#statusOf(host, at);
    const exchange = this.#line.play(
      this.#browser,
      status >= 500 ? { ...wanted, serverMs: 6, bytes: 800 } : wanted,
      random,
    );
    this.#played.push({
      asked: this.#asked(host, template, type, wanted.bytes, status, redirectMs),
      exchange,
      revalidated,
    });
    return { exchange, ok: status < 400 };
  }

  #statusOf(host: HostPlan, at: number): number {
    const random = this.#random;
    const luck = random.uniform();
    const burst = host.errorBurst;
    if (burst !== undefined && this.#line.dayOf(at) === burst.day && luck < burst.share) {
      if (isWithin(localHour(this.#browser.site, at), burst.hours)) return 503;
    }
    return luck > 1 - this.#app.errorShare ? (luck > 1 - this.#app.errorShare / 4 ? 500 : 404) : 200;
  }

  #asked(
    host: HostPlan,
    template: string,
    type: ResourcePlan['type'],
    bytes: number,
    status: number,
    redirectMs: number,
  ): Asked {
    return {
      target: this.#app.id,
      host,
      template,
      type,
      source: 'page',
      bytes,
      idleMs: null,
      status,
      hidden: this.#hidden,
      opaque: !host.timingAllowed && host.name !== this.#app.host,
      redirectMs,
    };
  }

  #report(leaves: number): void {
    const left = Math.min(leaves, this.#left);
    const { firefox } = this.#browser;
    const idle = this.#idleTimes(left);
    this.#played.forEach(({ asked, exchange, revalidated }, index) => {
      if (exchange.start >= left) return;
      asked.idleMs = idle[index] ?? null;
      const start = exchange.start;
      if (exchange.end > left) {
        const error = firefox ? 'NS_BINDING_ABORTED' : 'net::ERR_ABORTED';
        this.#rows.push(reportHidden(this.#browser, asked, { start, end: left }, 'failed', error));
      } else if (this.#random.chance(RESET_SHARE)) {
        const error = firefox ? 'NS_ERROR_NET_RESET' : 'net::ERR_CONNECTION_RESET';
        this.#rows.push(reportHidden(this.#browser, asked, exchange, 'failed', error));
      } else {
        const row = reportRequest(this.#browser, asked, exchange, this.#random);
        this.#rows.push(revalidated && !firefox && row.excluded === null ? asRevalidated(row) : row);
      }
    });
  }

  /** Since the origin's last response that ended before the request began, as the extension counts. */
  #idleTimes(left: number): (number | null)[] {
    const idle = this.#played.map(({ asked: { host }, exchange: { start } }) => {
      let last = hostState(this.#browser, host).answeredAt;
      for (const { asked, exchange } of this.#played) {
        if (asked.host === host && exchange.end <= start && !(exchange.end <= last)) last = exchange.end;
      }
      return Number.isNaN(last) ? null : Math.max(0, Math.round(start - last));
    });
    for (const { asked, exchange } of this.#played) {
      const state = hostState(this.#browser, asked.host);
      if (exchange.end <= left && !(exchange.end <= state.answeredAt)) state.answeredAt = exchange.end;
    }
    return idle;
  }
}

/** Chromium's 304: it crossed the network, so its times are real, and it counts as coming from the cache. */
function asRevalidated(row: Row): Row {
  if (row.connection === 'opaque') return row;
  return {
    ...row,
    connection: 'cache',
    connectionEvidence: 'revalidated',
    handshake: 'unknown',
    handshakeEvidence: null,
    transferSize: 300,
    encodedBodySize: 0,
    decodedBodySize: 0,
  };
}
