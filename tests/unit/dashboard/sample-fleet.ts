import type { ClientInfo, StoredSample } from '../../../shared/sample/sample.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import type { TimeName } from '../../../shared/vocabulary/time-names.ts';
import type { Connection, Exclusion, ResourceType, UnknownReason } from '../../../shared/vocabulary/vocabulary.ts';

/** One host of the synthetic fleet: milliseconds of a typical request, and how often it needs a new connection. */
interface HostModel {
  readonly host: string;
  readonly target: string;
  readonly scheme: 'http' | 'https';
  readonly protocol: string;
  readonly newShare: number;
  readonly opaque: boolean;
  readonly dns: number;
  readonly tcp: number;
  readonly tls: number;
  readonly wait: number;
  readonly receive: number;
  /** One in this many requests meets a slow server. */
  readonly slowOneIn: number;
  readonly types: Readonly<Partial<Record<ResourceType, number>>>;
}

const FLEET: readonly HostModel[] = [
  host('erp.example.com', 'erp', 'https', 'http/1.1', 0.038, {
    tcp: 41,
    tls: 92,
    wait: 72,
    receive: 6,
    slowOneIn: 80,
    types: { document: 900, fetch: 2400, script: 700, style: 420, image: 1300, font: 160 },
  }),
  host('crm.example.com', 'crm', 'http', 'http/1.1', 0.11, {
    tcp: 38,
    tls: 0,
    wait: 46,
    receive: 9,
    slowOneIn: 300,
    types: { document: 420, image: 610, script: 300 },
  }),
  host('legacy.example.com', 'erp', 'https', 'http/1.1', 0.97, {
    tcp: 12,
    tls: 61,
    wait: 16,
    receive: 3,
    slowOneIn: 400,
    types: { document: 240, fetch: 310 },
  }),
  host('files.example.com', 'dms', 'https', 'h2', 0.02, {
    tcp: 22,
    tls: 26,
    wait: 24,
    receive: 190,
    slowOneIn: 500,
    types: { media: 150, fetch: 260, document: 66 },
  }),
  host('sso.example.com', 'erp', 'https', 'h2', 0.3, {
    tcp: 64,
    tls: 71,
    wait: 66,
    receive: 2,
    slowOneIn: 1000,
    types: { document: 22, fetch: 17 },
  }),
  host('cdn.example.net', 'crm', 'https', 'h2', 0.05, {
    tcp: 9,
    tls: 12,
    wait: 8,
    receive: 4,
    slowOneIn: 1000,
    opaque: true,
    types: { script: 520, font: 140, image: 480 },
  }),
];

/** The same samples for the same seed, so that tests can compare the page with the input. */
export function fleetSamples(now: number, spanMs = 20 * 3_600_000, seed = 7): StoredSample[] {
  const random = seededRandom(seed);
  const samples: StoredSample[] = [];
  for (const model of FLEET) {
    for (const [type, count] of Object.entries(model.types)) {
      for (let i = 0; i < count; i++)
        samples.push(makeSample(model, type as ResourceType, now - random() * spanMs, random));
    }
  }
  return samples.sort((one, other) => one.at - other.at);
}

type Times = Record<TimeName, number | null>;

function makeSample(model: HostModel, type: ResourceType, at: number, random: () => number): StoredSample {
  const connection = pickConnection(model, type, random());
  const excluded = pickExclusion(connection, random());
  const unknown: Partial<Record<TimeName, UnknownReason>> = {};
  const times =
    connection === 'cache' || connection === 'opaque'
      ? hiddenTimes(connection, unknown)
      : makeTimes(model, connection, random, unknown);
  return {
    at: Math.round(at),
    target: model.target,
    host: model.host,
    scheme: model.scheme,
    template: '/app/{n}',
    type,
    protocol: connection === 'opaque' ? null : model.protocol,
    source: 'page',
    connection,
    connectionEvidence: 'connect_took_time',
    handshake: 'unknown',
    handshakeEvidence: null,
    excluded,
    status: excluded === 'status' ? 401 : connection === 'opaque' ? null : 200,
    error: null,
    times,
    unknown,
    transferSize: 4096,
    encodedBodySize: 3800,
    decodedBodySize: 9000,
    idleMs: null,
    serverTime: null,
    metrics: {},
    tls: null,
    origin: makeOrigin(Math.floor(random() * 64)),
  };
}

function makeTimes(
  model: HostModel,
  connection: Connection,
  random: () => number,
  unknown: Partial<Record<TimeName, UnknownReason>>,
): Times {
  const around = (ms: number) =>
    Math.round((ms * Math.exp((random() + random() + random() - 1.5) * 0.5) * 1000) / 100) * 100;
  const opened = connection === 'new';
  const slow = random() < 1 / model.slowOneIn;
  const dns = opened ? around(model.dns) : 0;
  const tcp = opened ? around(model.tcp) : 0;
  const tls = model.scheme === 'http' ? null : opened ? around(model.tls) : 0;
  if (tls === null) unknown.tls = 'plain_http';
  const blocked = around(2.2);
  const wait = around(slow ? model.wait * 38 : model.wait);
  const receive = around(model.receive);
  const ttfb = blocked + dns + tcp + (tls ?? 0) + wait;
  return { blocked, dns, tcp, tls, wait, receive, redirect: 0, ttfb, ttlb: ttfb + receive };
}

function hiddenTimes(reason: 'cache' | 'opaque', unknown: Partial<Record<TimeName, UnknownReason>>): Times {
  const times: Times = {
    blocked: null,
    dns: null,
    tcp: null,
    tls: null,
    wait: null,
    receive: null,
    redirect: null,
    ttfb: null,
    ttlb: null,
  };
  for (const name of Object.keys(times) as TimeName[]) unknown[name] = reason;
  return times;
}

function pickConnection(model: HostModel, type: ResourceType, dice: number): Connection {
  if (model.opaque) return dice < 0.94 ? 'opaque' : 'cache';
  const cached = type === 'script' || type === 'style' || type === 'font' ? 0.42 : type === 'image' ? 0.25 : 0;
  if (dice < cached) return 'cache';
  return (dice - cached) / (1 - cached) < model.newShare ? 'new' : 'reused';
}

function pickExclusion(connection: Connection, dice: number): Exclusion | null {
  if (connection === 'cache' || connection === 'opaque') return null;
  return dice < 0.012 ? 'status' : dice < 0.03 ? 'hidden' : null;
}

function makeOrigin(number: number): ClientInfo {
  const firefox = number % 5 === 0;
  return {
    client: `client-${number}`,
    site: ['Berlin', 'Lyon', 'Porto'][number % 3] ?? '',
    browser: firefox ? 'firefox' : 'chromium',
    browserVersion: '128.0',
    extensionVersion: '0.1.0',
    clockStep: firefox ? 1000 : 100,
  };
}

function host(
  name: string,
  target: string,
  scheme: 'http' | 'https',
  protocol: string,
  newShare: number,
  rest: Pick<HostModel, 'tcp' | 'tls' | 'wait' | 'receive' | 'slowOneIn' | 'types'> & { readonly opaque?: boolean },
): HostModel {
  return { host: name, target, scheme, protocol, newShare, opaque: false, dns: 7, ...rest };
}
