import { RandomStream } from '../random-stream.ts';
import type { Connection, OriginState, Person } from './people.ts';
import { type Demand, leftOfPause, queueWait } from './queues.ts';
import {
  type Habits,
  type HostTraits,
  SERVERS_OFFSET_MS,
  type SiteTraits,
  traitsAt,
  type WorldHost,
  type WorldPlan,
  type WorldProxy,
} from './world-plan.ts';

/** What happened, ms. What a browser shows of it is another thing: stamps.ts. */
export interface Exchange {
  readonly at: number;
  readonly end: number;
  readonly blocked: number;
  readonly dns: number;
  readonly tcp: number;
  readonly tls: number;
  readonly wait: number;
  readonly receive: number;
  readonly fresh: boolean;
  readonly resumed: boolean;
  readonly challenged: boolean;
  readonly inspected: boolean;
  readonly protocol: HostTraits['protocol'];
  readonly server: number;
  /** It came to nothing. */
  readonly failed: 'timed_out' | null;
}

export interface Wanted {
  readonly at: number;
  readonly serviceMs: number;
  readonly spread: number;
  readonly poolMs: number;
  readonly bytes: number;
  /** Exactly as long: the server waits for something to happen. */
  readonly heldMs: number;
  /** Answered before any work is done: a 304, an error. */
  readonly light: boolean;
}

/** One stream for each purpose, so that what happens on the way to a server draws nothing of what happens in it. */
export interface Draws {
  readonly way: RandomStream;
  readonly server: RandomStream;
  readonly body: RandomStream;
  /** What only some causes draw. */
  readonly fault: RandomStream;
}

const PARALLEL = 6;
const IDLE_LIMIT = { chromium: 300_000, firefox: 115_000 };
const FIRST_WINDOW = 14_600;
const MAX_WINDOW = 2_000_000;
const RESET_AFTER_MS = 1000;
const SYN_RETRIES_MS = [1000, 2000, 4000];
const MIN_RTO_MS = 200;
const SEGMENT = 1460;
const CHALLENGE_MS = 5;
const PROXY_MS = 1.5;
const LIGHT_MS = 1.5;
const EDGE_MS = 1.2;
const MAX_TICKETS = 8;
/** What a server needs to read and prove cookies. */
const COOKIE_MS_PER_KB = 1.5;
/** Requests that a database, a file system or a scheduler holds up for reasons of its own. */
const STRAGGLERS = 0.004;

export class Network {
  readonly #plan: WorldPlan;
  readonly #demand: Demand;
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(plan: WorldPlan, demand: Demand) {
    this.#plan = plan;
    this.#demand = demand;
    this.#numbers = new Map([...plan.hosts, ...plan.sites].map(({ name }, index) => [name, index * 4]));
  }

  play(person: Person, host: WorldHost, habits: Habits, wanted: Wanted, draws: Draws): Exchange {
    const { at } = wanted;
    const traits = traitsAt(host, this.#plan, person, at);
    const site = traitsAt(person.site, this.#plan, person, at);
    const proxy = site.proxy !== null && (site.proxy.hosts?.includes(host.name) ?? true) ? site.proxy : null;
    const inspected = proxy?.inspects === true && traits.scheme === 'https';
    const protocol = inspected ? 'http/1.1' : traits.protocol === 'h3' && proxy !== null ? 'h2' : traits.protocol;
    const { way, fault } = draws;
    const rtt = this.#roundTrip(person, habits, site, traits, at, way);
    const own = way.lognormal(person.engine === 'firefox' ? 0.9 : 0.3, 0.7);
    const held = habits.blockedMs > 0 ? habits.blockedMs * Math.exp(0.4 * way.normal()) : 0;
    const tabs = traits.polls === null ? 0 : openTabs(this.#plan.seed, person, at, traits.polls.tabs);
    // With all connections kept, a request waits until the first of them is answered.
    const kept = tabs < PARALLEL ? 0 : fault.exponential((traits.polls?.lastMs ?? 0) / PARALLEL);
    const begin = at + own + held + (protocol === 'http/1.1' ? kept : 0);
    const origin = originOf(person, host.name);
    const luck = way.uniform();
    const { connection, setUp } = this.#connection(
      person,
      host,
      habits,
      traits,
      site,
      proxy,
      protocol,
      origin,
      begin,
      tabs,
      rtt,
      way,
      fault,
    );
    if (setUp !== null && traits.blackhole !== null && luck < traits.blackhole.share) {
      origin.connections = origin.connections.filter((one) => one !== connection);
      return nothing(at, traits.blackhole.afterMs, protocol);
    }
    let sent = Math.max(begin, connection.readyAt, protocol === 'http/1.1' ? connection.freeAt : 0);
    const challenged = traits.challenges > 0 && !connection.proven;
    if (challenged) {
      sent += traits.challenges * (rtt + CHALLENGE_MS);
      connection.proven = true;
    }
    const uploaded = upload(traits, site, habits, rtt);
    const paced = pace(origin, traits, sent + rtt / 2);
    const served = this.#serve(host, traits, wanted, connection, sent + rtt / 2, draws);
    const server = served + (traits.cookieBytes / 1000) * COOKIE_MS_PER_KB + paced;
    const stalled = traits.packetStallMs > 0 && !connection.sized && wanted.bytes > SEGMENT;
    if (stalled) connection.sized = true;
    const loss = 1 - (1 - site.loss) * (1 - traits.loss);
    const retransmitted = way.chance(loss / 2) ? Math.max(MIN_RTO_MS, 2 * rtt) : 0;
    const sized = stalled ? traits.packetStallMs * (1 + 0.2 * fault.uniform()) : 0;
    const wait =
      rtt +
      uploaded +
      server +
      sized +
      retransmitted +
      (inspected ? way.lognormal((proxy as WorldProxy).extraMs / 3 + 0.1, 0.4) : 0);
    const scanned = (habits.scanMs + (habits.scanMsPerMb * wanted.bytes) / 1e6) * Math.exp(0.4 * fault.normal());
    const tail = setUp === null && endsAlone(wanted.bytes) ? traits.tailMs : 0;
    const received = this.#receive(
      person,
      habits,
      traits,
      site,
      connection,
      wanted.bytes,
      sent + wait,
      rtt,
      loss,
      at,
      draws.body,
    );
    const receive = received + scanned + tail;
    const end = sent + wait + receive;
    connection.freeAt = Math.max(connection.freeAt, end);
    const fresh = setUp !== null && !challenged;
    return {
      at,
      end,
      blocked: sent - at - (fresh ? setUp.dns + setUp.tcp + setUp.tls : 0),
      dns: fresh ? setUp.dns : 0,
      tcp: fresh ? setUp.tcp : 0,
      tls: fresh ? setUp.tls : 0,
      wait,
      receive,
      fresh,
      resumed: fresh && setUp.resumed,
      challenged,
      inspected,
      protocol,
      server,
      failed: null,
    };
  }

  /** What a redirect takes on the connection that is there. */
  hop(person: Person, host: WorldHost, habits: Habits, at: number, hopMs: number, way: RandomStream): number {
    const traits = traitsAt(host, this.#plan, person, at);
    const site = traitsAt(person.site, this.#plan, person, at);
    return this.#roundTrip(person, habits, site, traits, at, way) + way.lognormal(hopMs, 0.4);
  }

  #roundTrip(
    person: Person,
    habits: Habits,
    site: SiteTraits,
    { distance, detourMs }: HostTraits,
    at: number,
    way: RandomStream,
  ): number {
    const jitter = Math.exp(site.jitter * Math.abs(way.normal()));
    const load = site.lineLoad * this.#demand.at(at, (this.#numbers.get(person.site.name) ?? 0) + 1);
    return (
      detourMs +
      site.rttMs[distance] * person.distance * habits.distance * jitter +
      queueWait(1, load, site.gatewayMs, way)
    );
  }

  #connection(
    person: Person,
    host: WorldHost,
    habits: Habits,
    traits: HostTraits,
    site: SiteTraits,
    proxy: WorldProxy | null,
    protocol: HostTraits['protocol'],
    origin: OriginState,
    begin: number,
    tabs: number,
    rtt: number,
    way: RandomStream,
    fault: RandomStream,
  ): { connection: Connection; setUp: SetUp | null } {
    const limit = Math.min(traits.idleMs, IDLE_LIMIT[person.engine], habits.idleMs);
    // The server's clock begins when it has sent, the browser's when it has received.
    origin.connections = origin.connections.filter(({ freeAt }) => begin - freeAt <= limit);
    const { connections } = origin;
    const [first] = connections;
    if (protocol !== 'http/1.1' && first !== undefined) return { connection: first, setUp: null };
    if (protocol === 'http/1.1') {
      let idle: Connection | undefined;
      for (const one of connections) {
        if (one.freeAt <= begin && (idle === undefined || one.freeAt > idle.freeAt)) idle = one;
      }
      if (idle !== undefined) return { connection: idle, setUp: null };
      if (connections.length >= Math.max(1, PARALLEL - tabs)) {
        const next = connections.reduce((soonest, one) => (one.freeAt < soonest.freeAt ? one : soonest));
        return { connection: next, setUp: null };
      }
    }
    const machine = way.whole(traits.machines);
    const setUp = this.#setUp(person, host, habits, traits, site, proxy, origin, machine, begin, rtt, way, fault);
    const readyAt = begin + setUp.dns + setUp.tcp + setUp.tls;
    const connection = { readyAt, freeAt: readyAt, window: FIRST_WINDOW, machine, proven: false, sized: setUp.sized };
    connections.push(connection);
    return { connection, setUp };
  }

  #setUp(
    person: Person,
    host: WorldHost,
    habits: Habits,
    traits: HostTraits,
    site: SiteTraits,
    proxy: WorldProxy | null,
    origin: OriginState,
    machine: number,
    begin: number,
    rtt: number,
    way: RandomStream,
    fault: RandomStream,
  ): SetUp {
    const [luckOfAddress, more] = [fault.uniform(), Math.exp(0.3 * fault.normal())];
    const dns = proxy === null ? lookUp(origin, traits, site, begin, habits.lookupMs * more, way) : 0;
    let tcp = proxy === null ? rtt : PROXY_MS * Math.exp(0.2 * Math.abs(way.normal()));
    if (proxy !== null) {
      const load = proxy.load * this.#demand.at(begin, (this.#numbers.get(person.site.name) ?? 0) + 2);
      const queued = queueWait(proxy.slots, load, 400, way);
      // A tunnel stands once the proxy is through to the host; one that inspects answers at once and goes there within TLS.
      tcp += queued + (proxy.inspects ? 0 : rtt + way.lognormal(proxy.extraMs + 0.1, 0.4));
    }
    const loss = 1 - (1 - site.loss) * (1 - traits.loss);
    for (const retry of SYN_RETRIES_MS) {
      if (!way.chance(loss)) break;
      tcp += retry;
    }
    if (traits.fallbackMs > 0) tcp += traits.fallbackMs;
    if (traits.deadAddress !== null && luckOfAddress < traits.deadAddress.share)
      tcp += traits.deadAddress.afterMs * more;
    if (habits.connectMs > 0) tcp += habits.connectMs * Math.exp(0.3 * way.normal());
    if (traits.scheme === 'http') return { dns, tcp, tls: 0, resumed: false, sized: false };
    if (proxy?.inspects) {
      return { dns, tcp, tls: 2 * PROXY_MS + 2 * rtt + way.lognormal(proxy.extraMs, 0.3), resumed: false, sized: true };
    }
    const hello = begin + dns + tcp;
    const usable = (ticket: { until: number; machine: number }) =>
      hello < ticket.until && (traits.sharedTickets || ticket.machine === machine);
    const resumed = traits.ticketMs > 0 && origin.tickets.some(usable);
    // False Start saves Chromium the second round trip of a full handshake of TLS 1.2.
    const trips = traits.tls === '1.2' && person.engine === 'firefox' && !resumed ? 2 : 1;
    const load = traits.load * this.#demand.at(begin, this.#numbers.get(host.name) ?? 0);
    const work = resumed
      ? way.lognormal(0.7, 0.3)
      : way.lognormal(traits.handshakeMs, 0.25) / (1 - 0.4 * Math.min(load, 1));
    // A certificate fills packets; a resumed handshake does not.
    const stall = resumed ? 0 : (traits.packetStallMs + traits.revocationMs) * more;
    const tls = trips * rtt + work + stall;
    if (traits.ticketMs > 0 && (!resumed || traits.tls === '1.3')) {
      origin.tickets = [...origin.tickets, { until: hello + tls + traits.ticketMs, machine }].slice(-MAX_TICKETS);
    }
    return { dns, tcp, tls, resumed, sized: !resumed };
  }

  #serve(
    host: WorldHost,
    traits: HostTraits,
    wanted: Wanted,
    connection: Connection,
    at: number,
    { server: random, fault }: Draws,
  ): number {
    const hit = random.uniform();
    const any = random.whole(traits.machines);
    const machine = traits.perRequest ? any : connection.machine;
    const straggles = random.chance(STRAGGLERS) ? 2 + random.exponential(1.5) : 1;
    const service = wanted.serviceMs * Math.exp(wanted.spread * random.normal());
    const number = this.#numbers.get(host.name) ?? 0;
    if (wanted.heldMs > 0) return wanted.heldMs;
    if (traits.hitShare !== null && hit < traits.hitShare) return random.lognormal(EDGE_MS, 0.4);
    const speed = traits.work * (machine === 0 ? traits.worstMachine : 1);
    const cold = traits.cold !== null && fault.chance(coldShare(traits.cold.hours, at)) ? traits.cold.factor : 1;
    const demand = this.#demand.at(at, number);
    const busy = queueWait(traits.workers, traits.load * demand, 40 * speed, random);
    const paused = traits.pause === null ? 0 : leftOfPause(at, machine, traits.pause);
    const way = traits.hitShare === null ? 0 : traits.originMs;
    if (wanted.light) return way + busy + paused + random.lognormal(LIGHT_MS, 0.4) * speed;
    const pooled =
      wanted.poolMs === 0
        ? 0
        : queueWait(traits.pool, traits.poolLoad * demand, wanted.poolMs, random) +
          random.lognormal(wanted.poolMs, 0.3);
    return way + busy + paused + pooled + service * speed * straggles * cold;
  }

  #receive(
    person: Person,
    habits: Habits,
    traits: HostTraits,
    site: SiteTraits,
    connection: Connection,
    bytes: number,
    firstByteAt: number,
    rtt: number,
    loss: number,
    at: number,
    random: RandomStream,
  ): number {
    const load = site.lineLoad * this.#demand.at(at, (this.#numbers.get(person.site.name) ?? 0) + 1);
    const bytesPerMs = (site.mbps * person.line * 125 * (1 - 0.6 * Math.min(load, 1))) / habits.slowLine;
    if (traits.windowResets && firstByteAt - connection.freeAt > RESET_AFTER_MS) connection.window = FIRST_WINDOW;
    const rounds = Math.max(0, Math.ceil(Math.log2(bytes / connection.window + 1)) - 1);
    connection.window = Math.min(MAX_WINDOW, Math.max(connection.window, bytes));
    const lost = random.poisson(Math.min(20, (bytes / SEGMENT) * loss));
    return random.lognormal(0.5, 0.5) + rounds * rtt + bytes / bytesPerMs + lost * (rtt + 5);
  }
}

/** What is larger than the window goes in rounds; a browser's window, too, starts small after a pause. */
function upload({ cookieBytes }: HostTraits, { upMbps }: SiteTraits, { slowLine }: Habits, rtt: number): number {
  if (cookieBytes === 0) return 0;
  return (cookieBytes * slowLine) / (upMbps * 125) + Math.floor(Math.log2(cookieBytes / FIRST_WINDOW + 1)) * rtt;
}

/** How many tabs of a host are open: others every ten minutes. */
function openTabs(seed: number, { number }: Person, at: number, mean: number): number {
  return new RandomStream(seed, 114, number, Math.floor(at / 600_000)).poisson(mean);
}

function pace(origin: OriginState, { paceMs }: HostTraits, at: number): number {
  if (paceMs === 0) return 0;
  const held = Math.max(0, origin.nextAt - at);
  origin.nextAt = at + held + paceMs;
  return held;
}

/** Every second full packet is acknowledged at once, and so is none of an odd number of them. */
function endsAlone(bytes: number): boolean {
  return bytes % SEGMENT > 0 && Math.floor(bytes / SEGMENT) % 2 === 1;
}

function coldShare([from, to]: readonly [number, number], at: number): number {
  const hour = ((at + SERVERS_OFFSET_MS) % 86_400_000) / 3_600_000;
  return hour < from || hour >= to ? 0 : (to - hour) / (to - from);
}

interface SetUp {
  readonly dns: number;
  readonly tcp: number;
  readonly tls: number;
  readonly resumed: boolean;
  /** Whether packets of full size have passed, or been found not to. */
  readonly sized: boolean;
}

function originOf(person: Person, host: string): OriginState {
  let origin = person.origins.get(host);
  if (origin === undefined) {
    origin = { connections: [], nameUntil: 0, nameAt: 0, tickets: [], nextAt: 0 };
    person.origins.set(host, origin);
  }
  return origin;
}

/** The browser's own cache, then the resolver's, which colleagues keep warm, then the servers of the name. */
function lookUp(
  origin: OriginState,
  traits: HostTraits,
  site: SiteTraits,
  begin: number,
  besidesMs: number,
  way: RandomStream,
): number {
  const [luck, near, far] = [way.uniform(), way.lognormal(site.dnsMs, 0.4), way.lognormal(site.recursionMs, 0.4)];
  if (begin < origin.nameAt) return origin.nameAt - begin;
  if (begin < origin.nameUntil) return luck < 0.7 ? 0 : luck - 0.7;
  const known = luck < traits.dnsTtlMs / (traits.dnsTtlMs + 30_000);
  const dns = near + (known ? 0 : far + traits.nameMs) + besidesMs;
  origin.nameAt = begin + dns;
  origin.nameUntil = origin.nameAt + traits.dnsTtlMs;
  return dns;
}

function nothing(at: number, took: number, protocol: HostTraits['protocol']): Exchange {
  const none = { blocked: 0, dns: 0, tcp: 0, tls: 0, wait: 0, receive: 0, server: 0 };
  const flags = { fresh: false, resumed: false, challenged: false, inspected: false };
  return { at, end: at + took, ...none, ...flags, protocol, failed: 'timed_out' };
}
