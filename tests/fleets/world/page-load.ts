import { RandomStream } from '../random-stream.ts';
import type { Row } from '../write-batch.ts';
import { type Exchange, Network, type Wanted } from './network.ts';
import { habitsAt, type Person, store } from './people.ts';
import { Demand } from './queues.ts';
import { type Asked, stampCached, stampFailed, stampRequest, stampWorker } from './stamps.ts';
import {
  type Habits,
  traitsAt,
  type WorldApp,
  type WorldHost,
  type WorldPage,
  type WorldPlan,
  type WorldRequest,
} from './world-plan.ts';

const LEFT_EARLY = 0.012;
const HIDDEN = 0.01;
const NOT_FOUND = 0.002;
const RESET = 0.0006;
const LIGHT_BYTES = 700;
const WORKER_MS = 9;
const MAX_ITEMS = 8192;

interface Played {
  readonly host: string;
  readonly exchange: Exchange;
  readonly overNetwork: boolean;
  row(idleMs: number | null): Row;
}

/** Plays page views: each a document, then what it asks for in three stages, over the connections of its browser. */
export class PageLoads {
  readonly #plan: WorldPlan;
  readonly #network: Network;
  readonly #looked: ReadonlyMap<WorldRequest, Looked>;
  /** When each origin last answered each browser. */
  readonly #answered = new Map<string, number>();

  constructor(plan: WorldPlan) {
    this.#plan = plan;
    this.#network = new Network(plan, new Demand(plan));
    const hosts = new Map(plan.hosts.map((host) => [host.name, host]));
    const all = plan.apps.flatMap(({ pages }) => pages.flatMap(({ requests }) => requests));
    const numbers = new Map([...new Set(all.map(addressOf))].map((address, index) => [address, index]));
    this.#looked = new Map(
      all.map((request) => {
        const host = hosts.get(request.host);
        if (host === undefined) throw new Error(`The plan has no host ${request.host}.`);
        return [request, { host, number: numbers.get(addressOf(request)) ?? 0 }];
      }),
    );
  }

  /**
   * @param key of the page view: the same view draws the same numbers whatever else is in the plan
   * @returns when the page is complete, or left
   */
  play(person: Person, app: WorldApp, at: number, thinkMs: number, key: readonly number[], rows: Row[]): number {
    const random = new RandomStream(this.#plan.seed, 103, ...key);
    const page = random.pick(app.pages);
    const leaves = random.chance(LEFT_EARLY) ? random.uniform() : null;
    const hidden = random.chance(HIDDEN);
    const view = new View(this.#plan, this.#network, person, app, hidden, key, this.#looked);
    const end = view.load(page, at, at + thinkMs, random);
    const left = leaves === null ? Number.POSITIVE_INFINITY : at + (end - at) * (0.25 + 0.75 * leaves);
    this.#report(person, view.played, left, rows);
    return Math.min(end, left);
  }

  #report(person: Person, played: readonly Played[], left: number, rows: Row[]): void {
    for (const { host, exchange, row } of played) {
      if (exchange.at >= left) continue;
      const key = `${person.number} ${host}`;
      let last = this.#answered.get(key) ?? Number.NEGATIVE_INFINITY;
      for (const other of played) {
        if (other.overNetwork && other.host === host && other.exchange.end <= exchange.at)
          last = Math.max(last, other.exchange.end);
      }
      const idle = last === Number.NEGATIVE_INFINITY ? null : Math.max(0, Math.round(exchange.at - last));
      const made = row(idle);
      const isLeft = exchange.end > left && made.connection !== 'cache';
      rows.push(isLeft ? stampFailed(person, made, left - exchange.at, 'aborted') : made);
    }
    for (const { host, exchange, overNetwork } of played) {
      const key = `${person.number} ${host}`;
      if (overNetwork && exchange.end <= left)
        this.#answered.set(key, Math.max(exchange.end, this.#answered.get(key) ?? 0));
    }
  }
}

/** A request's host, and a number that requests of one address share. */
interface Looked {
  readonly host: WorldHost;
  readonly number: number;
}

function addressOf({ host, template, type }: WorldRequest): string {
  return `${host} ${template} ${type}`;
}

class View {
  readonly played: Played[] = [];
  readonly #plan: WorldPlan;
  readonly #network: Network;
  readonly #person: Person;
  readonly #app: WorldApp;
  readonly #hidden: boolean;
  readonly #key: readonly number[];
  readonly #looked: ReadonlyMap<WorldRequest, Looked>;

  constructor(
    plan: WorldPlan,
    network: Network,
    person: Person,
    app: WorldApp,
    hidden: boolean,
    key: readonly number[],
    looked: ReadonlyMap<WorldRequest, Looked>,
  ) {
    this.#plan = plan;
    this.#network = network;
    this.#person = person;
    this.#app = app;
    this.#hidden = hidden;
    this.#key = key;
    this.#looked = looked;
  }

  load(page: WorldPage, at: number, until: number, random: RandomStream): number {
    const habits = habitsAt(this.#plan, this.#person, at);
    let end = at;
    let ready = at;
    let ok = true;
    // Drawn before anything else, since what follows may need more or fewer numbers.
    const steps = [random.lognormal(10, 0.4), random.lognormal(22, 0.5), random.lognormal(18, 0.5)];
    for (const stage of [0, 1, 2, 3] as const) {
      if (!ok) break;
      let last = ready;
      let offset = 0;
      page.requests.forEach((request, index) => {
        if (request.stage !== stage) return;
        const { count, heldMs } = traitsAt(request, this.#plan, this.#person, at);
        if (heldMs > 0) return;
        for (let i = 0; i < count; i++) {
          const done = this.#request(request, index * 64 + i, ready + offset, habits);
          ok &&= stage > 0 || done.ok;
          last = Math.max(last, done.end);
          offset += 0.7;
        }
      });
      end = Math.max(end, last);
      ready = last + (steps[stage] ?? 0);
    }
    if (ok) this.#hold(page, end, until, habits);
    return end;
  }

  /** Asks again as soon as it is answered, for as long as the page is open. */
  #hold(page: WorldPage, from: number, until: number, habits: Habits): void {
    page.requests.forEach((request, index) => {
      const { heldMs } = traitsAt(request, this.#plan, this.#person, from);
      if (heldMs === 0) return;
      let i = 0;
      for (let at = from + 60; at + heldMs < until; i++)
        at = this.#request(request, index * 64 + i, at, habits).end + 20;
    });
  }

  #request(request: WorldRequest, number: number, at: number, habits: Habits): { end: number; ok: boolean } {
    const person = this.#person;
    const traits = traitsAt(request, this.#plan, person, at);
    const { host, number: address } = this.#looked.get(request) as Looked;
    const key = [...this.#key, number] as const;
    const choice = new RandomStream(this.#plan.seed, 104, ...key);
    // Most people look at the same few things.
    const item = Math.floor(Math.min(traits.items, MAX_ITEMS) * choice.uniform() ** 2);
    const isRare = traits.rare !== null && choice.chance(traits.rare.share);
    const size = Math.exp(0.25 * choice.normal());
    const luck = choice.uniform();
    const asked: Asked = {
      target: this.#app.id,
      host: host.name,
      traits: traitsAt(host, this.#plan, person, at),
      template: request.template,
      type: request.type,
      bytes: Math.round((isRare ? (traits.rare?.bytes ?? 0) : traits.bytes) * size),
      ownOrigin: host.name === this.#app.host,
      hidden: this.#hidden,
    };
    const cached =
      traits.maxAgeMs > 0 && !habits.neverCaches ? person.cache.get(address * MAX_ITEMS + item) : undefined;
    if (traits.worker && habits.neverCaches === false) {
      const took = choice.lognormal(WORKER_MS, 0.5);
      this.#keep(host.name, noExchange(at, took), false, () => stampWorker(person, asked, at, took));
      return { end: at + took, ok: true };
    }
    if (cached !== undefined && at < cached.until) {
      store(person, address * MAX_ITEMS + item, cached.until, cached.bytes, habits.cacheBytes);
      const took = choice.lognormal(1.6, 0.5);
      this.#keep(host.name, noExchange(at, took), false, () => stampCached(person, asked, at));
      return { end: at + took, ok: true };
    }
    const revalidates = cached !== undefined && traits.validator;
    const errorShare = traits.errorShare + habits.sendsErrors;
    const status = luck < errorShare ? traits.errorStatus : luck > 1 - NOT_FOUND && request.stage > 0 ? 404 : 200;
    const draws = {
      way: new RandomStream(this.#plan.seed, 105, ...key),
      server: new RandomStream(this.#plan.seed, 106, ...key),
      body: new RandomStream(this.#plan.seed, 107, ...key),
      fault: new RandomStream(this.#plan.seed, 113, ...key),
    };
    let hopsMs = 0;
    for (let hop = 0; hop < traits.hops; hop++)
      hopsMs += this.#network.hop(person, host, habits, at, traits.hopMs, draws.body);
    const light = revalidates || status !== 200;
    const wanted: Wanted = {
      at: at + hopsMs,
      serviceMs: isRare ? (traits.rare?.serviceMs ?? 0) : traits.serviceMs,
      spread: traits.spread,
      poolMs: traits.poolMs,
      bytes: light ? LIGHT_BYTES : asked.bytes,
      heldMs: traits.heldMs,
      light,
    };
    const exchange = this.#network.play(person, host, habits, wanted, draws);
    const redirect = traits.hops === 0 ? 0 : traits.hopsCross ? null : hopsMs;
    if (exchange.failed === null && status === 200 && traits.maxAgeMs > 0) {
      const bytes = revalidates ? cached.bytes : asked.bytes;
      store(person, address * MAX_ITEMS + item, exchange.end + traits.maxAgeMs, bytes, habits.cacheBytes);
    }
    const error = exchange.failed ?? (luck > 0.5 && luck < 0.5 + RESET ? 'reset' : null);
    this.#keep(host.name, exchange, error === null, (idleMs) => {
      const row = stampRequest(
        person,
        asked,
        exchange,
        { status, redirect, idleMs, revalidated: revalidates },
        draws.body,
      );
      return error === null ? row : stampFailed(person, row, exchange.end - exchange.at, error);
    });
    return { end: exchange.end, ok: error === null && status < 400 };
  }

  #keep(host: string, exchange: Exchange, overNetwork: boolean, row: (idleMs: number | null) => Row): void {
    this.played.push({ host, exchange, overNetwork, row });
  }
}

function noExchange(at: number, took: number): Exchange {
  const none = { blocked: 0, dns: 0, tcp: 0, tls: 0, wait: 0, receive: 0, server: 0 };
  const flags = { fresh: false, resumed: false, challenged: false, inspected: false };
  return { at, end: at + took, ...none, ...flags, protocol: 'h2', failed: null };
}
