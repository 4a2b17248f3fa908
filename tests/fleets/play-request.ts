import { type Browser, type Connection, type HostState, hostState, isWithin, localHour } from './browser.ts';
import type { FleetPlan, HostPlan } from './plan.ts';
import type { RandomStream } from './random-stream.ts';

/** What happened on the wire, ms. The browser's report of it is another thing: report-request.ts. */
export interface Exchange {
  readonly start: number;
  readonly end: number;
  readonly blocked: number;
  readonly dns: number;
  readonly tcp: number;
  readonly tls: number;
  readonly wait: number;
  readonly receive: number;
  /** Opened for this request. */
  readonly fresh: boolean;
  readonly resumed: boolean;
  readonly protocol: HostPlan['protocol'];
  readonly tlsVersion: HostPlan['tls'];
  readonly issuer: string;
  /** Part of `wait`. */
  readonly server: number;
}

export interface Wanted {
  readonly host: HostPlan;
  readonly at: number;
  readonly serverMs: number;
  readonly spread: number;
  readonly bytes: number;
  /** The server takes `serverMs`, whatever state it is in: it waits for something to happen. */
  readonly exact?: true;
  /** For responses that last on purpose: how long after the first byte the response ends. */
  readonly streamMs?: number;
  /** Redirects before it. */
  readonly hops?: number;
}

/** Browsers close idle connections on their own after this long. */
const IDLE_LIMIT = { chromium: 300_000, firefox: 115_000 };
const MAX_H1_CONNECTIONS = 6;
/** RFC 6928: ten segments. */
const FIRST_WINDOW = 14_600;
const MAX_WINDOW = 1_000_000;
const SYN_RETRY_MS = 1000;
const MIN_RETRANSMISSION_MS = 200;
const TICKET_MS = 2 * 3_600_000;
const MAX_TICKETS = 10;
/** An answer that the server takes longer for, for reasons of its own. */
const TAIL_SHARE = 0.004;
const PROXY_RTT_MS = 2;
const REDIRECT_SERVER_MS = 25;
const CENTRE_ZONE_HOURS = 1;
const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

export class Line {
  readonly #plan: FleetPlan;

  constructor(plan: FleetPlan) {
    this.#plan = plan;
  }

  /** The host as it is on that day. */
  hostAt(host: HostPlan, at: number): { readonly serverFactor: number; readonly tickets: boolean } {
    const changed = host.change !== undefined && this.dayOf(at) >= host.change.day;
    const hour = (((at / HOUR_MS + CENTRE_ZONE_HOURS) % 24) + 24) % 24;
    const busy = host.busyHours !== undefined && isWithin(hour, host.busyHours.hours) ? host.busyHours.factor : 1;
    return {
      serverFactor: host.serverFactor * busy * (changed ? (host.change?.serverFactor ?? 1) : 1),
      tickets: changed ? (host.change?.tickets ?? host.tickets) : host.tickets,
    };
  }

  dayOf(at: number): number {
    return Math.floor((at - this.#plan.from) / DAY_MS);
  }

  /** Plays a request that begins now, on a connection that is there or is made for it. */
  play(browser: Browser, wanted: Wanted, random: RandomStream): Exchange {
    const { host, at } = wanted;
    const { site } = browser;
    const state = hostState(browser, host);
    const inspected = host.scheme === 'https' ? site.inspection : undefined;
    const protocol = inspected === undefined ? host.protocol : 'http/1.1';
    const rtt = this.#rtt(browser, host, at, random);
    const own = browser.blockedMs === 0 ? 0 : random.lognormal(browser.blockedMs, 0.5);
    const begin = at + own + random.lognormal(browser.firefox ? 1.1 : 0.25, 0.8);
    const { connection, fresh, setUp } = this.#connect(browser, wanted, state, protocol, begin, rtt, random);
    const sent = Math.max(begin, connection.readyAt, protocol === 'http/1.1' ? connection.freeAt : 0);
    const { serverFactor } = this.hostAt(host, at);
    const tail = random.chance(TAIL_SHARE) ? 2 + random.exponential(1.5) : 1;
    const work = serverFactor * tail * Math.exp(wanted.spread * random.normal());
    const server = wanted.serverMs * (wanted.exact ? 1 : work);
    const loss = 1 - (1 - site.loss) * (1 - host.loss);
    // Most losses within a connection are mended by fast retransmission; a lost request is not.
    const lost = random.chance(loss / 3) ? Math.max(MIN_RETRANSMISSION_MS, 2 * rtt) : 0;
    const wait = rtt + server + lost + (inspected === undefined ? 0 : inspected.extraMs / 4);
    const receive = (wanted.streamMs ?? 0) + this.#receive(browser, connection, wanted.bytes, at, rtt, random);
    const end = sent + wait + receive;
    connection.freeAt = Math.max(connection.freeAt, end);
    return {
      start: at,
      end,
      blocked: sent - at - (fresh ? setUp.dns + setUp.tcp + setUp.tls : 0),
      dns: fresh ? setUp.dns : 0,
      tcp: fresh ? setUp.tcp : 0,
      tls: fresh ? setUp.tls : 0,
      wait,
      receive,
      fresh,
      resumed: fresh && setUp.resumed,
      protocol,
      tlsVersion: inspected === undefined ? host.tls : '1.2',
      issuer: inspected?.issuer ?? ISSUERS[host.place],
      server,
    };
  }

  /** What redirects before the request take. */
  hopsMs(browser: Browser, wanted: Wanted, random: RandomStream): number {
    let ms = 0;
    for (let hop = 0; hop < (wanted.hops ?? 0); hop++) {
      ms += this.#rtt(browser, wanted.host, wanted.at, random) + random.lognormal(REDIRECT_SERVER_MS, 0.4);
    }
    return ms;
  }

  #rtt(browser: Browser, host: HostPlan, at: number, random: RandomStream): number {
    const { site, rttFactor } = browser;
    const queue = this.#isBusy(browser, at) ? random.exponential(site.busyLine?.queueMs ?? 0) : 0;
    return site.rttMs[host.place] * rttFactor * Math.exp(site.jitter * Math.abs(random.normal())) + queue;
  }

  #isBusy({ site }: Browser, at: number): boolean {
    return site.busyLine !== undefined && isWithin(localHour(site, at), site.busyLine.hours);
  }

  #receive(
    browser: Browser,
    connection: Connection,
    bytes: number,
    at: number,
    rtt: number,
    random: RandomStream,
  ): number {
    const { site, lineFactor } = browser;
    const share = this.#isBusy(browser, at) ? (site.busyLine?.share ?? 1) : 1;
    const size = bytes * Math.exp(0.3 * random.normal());
    const bytesPerMs = (site.lineMbps * lineFactor * share * 1000) / 8;
    // Slow start: the window doubles with each round trip.
    const rounds = Math.max(0, Math.ceil(Math.log2(size / connection.window + 1)) - 1);
    connection.window = Math.min(MAX_WINDOW, Math.max(connection.window, size));
    return random.lognormal(0.6, 0.5) + rounds * rtt + size / bytesPerMs;
  }

  #connect(
    browser: Browser,
    { host }: Wanted,
    state: HostState,
    protocol: HostPlan['protocol'],
    begin: number,
    rtt: number,
    random: RandomStream,
  ) {
    const limit = Math.min(host.keepAliveMs, browser.firefox ? IDLE_LIMIT.firefox : IDLE_LIMIT.chromium);
    state.connections = state.connections.filter(({ freeAt }) => begin - freeAt <= limit);
    const { connections } = state;
    const none = { dns: 0, tcp: 0, tls: 0, resumed: false };
    const [shared] = connections;
    if (protocol !== 'http/1.1' && shared !== undefined) return { connection: shared, fresh: false, setUp: none };
    if (protocol === 'http/1.1') {
      const idle = connections.filter(({ freeAt }) => freeAt <= begin).sort((a, b) => b.freeAt - a.freeAt)[0];
      if (idle !== undefined) return { connection: idle, fresh: false, setUp: none };
      if (connections.length >= MAX_H1_CONNECTIONS) {
        const next = connections.reduce((first, other) => (other.freeAt < first.freeAt ? other : first));
        return { connection: next, fresh: false, setUp: none };
      }
    }
    const setUp = this.#setUp(browser, host, state, begin, rtt, random);
    const readyAt = begin + setUp.dns + setUp.tcp + setUp.tls;
    const connection: Connection = { readyAt, freeAt: readyAt, window: FIRST_WINDOW };
    connections.push(connection);
    return { connection, fresh: true, setUp };
  }

  #setUp(browser: Browser, host: HostPlan, state: HostState, begin: number, rtt: number, random: RandomStream) {
    const { site } = browser;
    const dns = this.#lookup(site.dnsMs, host, state, begin, random);
    const loss = 1 - (1 - site.loss) * (1 - host.loss);
    let retries = 0;
    for (let wait = SYN_RETRY_MS; wait <= 4 * SYN_RETRY_MS && random.chance(loss); wait *= 2) retries += wait;
    const inspected = host.scheme === 'https' ? site.inspection : undefined;
    const tcp = (inspected === undefined ? rtt : PROXY_RTT_MS * Math.exp(0.2 * random.normal())) + retries;
    if (host.scheme === 'http') return { dns, tcp, tls: 0, resumed: false };
    if (inspected !== undefined) {
      // The proxy answers once its own connection stands: two round trips behind it.
      const tls = 2 * PROXY_RTT_MS + 2 * rtt + random.lognormal(inspected.extraMs, 0.3);
      return { dns, tcp, tls, resumed: false };
    }
    const { tickets } = this.hostAt(host, begin);
    if (!tickets) state.tickets = [];
    const hello = begin + dns + tcp;
    const ticket = state.tickets.find(({ from, until }) => from <= hello && hello < until);
    const resumed = ticket !== undefined;
    // Firefox uses each ticket once, and a resumed handshake of TLS 1.2 brings no new one.
    if (resumed && browser.firefox && host.tls === '1.2') state.tickets = state.tickets.filter((one) => one !== ticket);
    // Chromium's False Start saves the second round trip of TLS 1.2, and resumption does in every browser.
    const trips = host.tls === '1.2' && browser.firefox && !resumed ? 2 : 1;
    const tls = trips * rtt + random.lognormal(resumed ? 0.8 : host.handshakeMs, 0.3);
    const from = hello + tls;
    if (tickets && (!resumed || host.tls === '1.3')) {
      state.tickets = state.tickets.filter(({ until }) => from < until).slice(-MAX_TICKETS + 1);
      state.tickets.push({ from, until: from + TICKET_MS });
    }
    return { dns, tcp, tls, resumed };
  }

  #lookup(dnsMs: number, host: HostPlan, state: HostState, begin: number, random: RandomStream): number {
    if (begin < state.nameKnownAt) return state.nameKnownAt - begin;
    if (begin < state.nameUntil) return random.chance(0.7) ? 0 : random.uniform() * 0.5;
    const dns = random.lognormal(dnsMs, 0.5);
    state.nameKnownAt = begin + dns;
    state.nameUntil = state.nameKnownAt + host.dnsTtlMs;
    return dns;
  }
}

const ISSUERS = {
  centre: 'CN=Example Internal CA,O=Example',
  cdn: 'CN=Example Public CA 3,O=Example Trust',
  outside: 'CN=Example Public CA 3,O=Example Trust',
} as const;
