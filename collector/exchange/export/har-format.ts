import type { StoredSample } from '../../../shared/sample/sample.ts';
import { rowReader } from '../../../shared/sample/sample-reader.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import type { ResourceType } from '../../../shared/vocabulary/vocabulary.ts';
import { OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import { findSetUp, isUndivided } from '../../reductions/set-up.ts';
import { OTHER_HOST, OWN_CREATOR } from '../own-har.ts';
import type { Encode } from './export-format.ts';

/** A few milliseconds of the event loop, so that batches are accepted between two pieces. */
const ROWS_AT_ONCE = 200;

/** "Unknown" where HAR allows it. http://www.softwareishard.com/blog/har-12-spec/#timings */
const UNKNOWN = -1;

/** Resource types as Chromium's developer tools name them. */
const RESOURCE_TYPES: Readonly<Record<ResourceType, string>> = {
  document: 'document',
  script: 'script',
  style: 'stylesheet',
  image: 'image',
  font: 'font',
  fetch: 'fetch',
  iframe: 'document',
  media: 'media',
  beacon: 'ping',
  other: 'other',
  long_lived: 'fetch',
};

/** http://www.softwareishard.com/blog/har-12-spec/: one log, one page per target. */
export const encodeHar: Encode = async function* encodeHar(blocks, table, { version }) {
  const names = new Set(table.map(({ name }) => name));
  const creator = JSON.stringify({
    name: OWN_CREATOR,
    version,
    comment: 'Method, headers and bodies are not recorded; paths are templates.',
  });
  yield Buffer.from(`{"log":{"version":"1.2","creator":${creator},"entries":[`);
  /** Target → its first sample, epoch ms. */
  const pages = new Map<string, number>();
  let separator = '\n';
  for await (const columns of blocks) {
    const read = rowReader(columns);
    for (let from = 0; from < columns.n; from += ROWS_AT_ONCE) {
      let text = '';
      for (let row = from; row < Math.min(from + ROWS_AT_ONCE, columns.n); row++) {
        const sample = read(row);
        if (!pages.has(sample.target)) pages.set(sample.target, sample.at);
        text += separator + JSON.stringify(harEntry(sample, names));
        separator = ',\n';
      }
      yield Buffer.from(text);
    }
  }
  // The pages are known only now; the order of names in JSON is not significant.
  const list = [...pages].map(([id, at]) => ({
    startedDateTime: new Date(at).toISOString(),
    id,
    title: id,
    pageTimings: {},
  }));
  yield Buffer.from(`\n],"pages":${JSON.stringify(list)}}}\n`);
};

/**
 * One sample as an entry of HAR 1.2. Fields that are not recorded (method, headers, bodies) are empty; custom names begin
 * with an underscore, as the specification requires. The address is the path template with its braces encoded. `_lastbyte`
 * holds what HAR has no field for, so that an import restores the sample (restore-sample.ts).
 *
 * @param columns names of the columns that the recipient may see
 */
export function harEntry(sample: StoredSample, columns: ReadonlySet<string>) {
  const { times, tls, origin } = sample;
  const sizes = onlyNamed({ ...pick(sample, SIZES) }, columns);
  const timings = timingsOf(sample);
  const { ssl: _withinConnect, ...summands } = timings;
  return {
    pageref: sample.target,
    startedDateTime: new Date(sample.at).toISOString(),
    time: Object.values(summands).reduce((sum, ms) => sum + Math.max(0, Math.round(ms * 1000)), 0) / 1000,
    request: {
      method: 'GET',
      url: addressOf(sample),
      httpVersion: sample.protocol ?? 'unknown',
      cookies: [],
      headers: [],
      queryString: [],
      headersSize: UNKNOWN,
      bodySize: UNKNOWN,
    },
    response: {
      status: sample.status ?? 0,
      statusText: '',
      httpVersion: sample.protocol ?? 'unknown',
      cookies: [],
      headers: [],
      // The one size that may not be −1.
      content: { size: sizes.decodedBodySize ?? 0, mimeType: 'x-unknown' },
      redirectURL: '',
      headersSize: UNKNOWN,
      bodySize: sizes.encodedBodySize ?? UNKNOWN,
      _transferSize: sizes.transferSize ?? UNKNOWN,
      ...(sample.error === null || !columns.has('error') ? {} : { _error: sample.error }),
    },
    cache: {},
    timings:
      sample.connection === 'worker' && times.blocked !== null
        ? { ...timings, comment: 'blocked: start-up of the service worker' }
        : timings,
    ...(sample.connection === 'cache' ? { _fromCache: 'disk' } : {}),
    _resourceType: RESOURCE_TYPES[sample.type],
    _lastbyte: {
      ...onlyNamed(
        {
          ...pick(sample, OWN_FIELDS),
          ...pick(origin, ['site', 'client', 'browser', 'browserVersion']),
          responseMark: sample.responseMark ?? null,
        },
        columns,
      ),
      ...(columns.has('tlsVersion') ? { tls } : {}),
      ...sizes,
      serverTime: milliseconds(sample.serverTime),
      times: Object.fromEntries(TIME_NAMES.map((name) => [name, milliseconds(times[name])])),
    },
  };
}

const SIZES = ['transferSize', 'encodedBodySize', 'decodedBodySize'] as const;
const OWN_FIELDS = [
  'source',
  'type',
  'connection',
  'connectionEvidence',
  'handshake',
  'handshakeEvidence',
  'excluded',
  'error',
  'unknown',
  'idleMs',
  'metrics',
  'journey',
  'step',
  'run',
] as const;

function pick<T, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}

function onlyNamed<T extends object>(fields: T, columns: ReadonlySet<string>): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => columns.has(name))) as Partial<T>;
}

/**
 * `time` is the sum of the timings, as the specification defines it, and `ttlb`. Only `blocked`, `dns`, `connect` and `ssl` may
 * be −1, which means "none" or "unknown". `connect` includes `ssl`; `send` is part of `wait`, because browsers do not report it.
 */
function timingsOf(sample: StoredSample) {
  const { blocked, dns, tls, wait, receive, ttlb } = sample.times;
  const reused = sample.connection === 'reused';
  const connect = connectOf(sample);
  // In microseconds, which add up.
  const parts = {
    blocked,
    dns: reused ? null : dns,
    connect: reused ? null : connect,
    send: 0,
    wait: wait ?? 0,
    receive: receive ?? 0,
    ssl: reused || connect === null ? null : tls,
  };
  const { ssl: _withinConnect, ...summands } = parts;
  const rest = (ttlb ?? 0) - Object.values(summands).reduce<number>((sum, part) => sum + (part ?? 0), 0);
  // Time whose part is unknown goes where no known part is changed.
  const place =
    blocked !== null && wait === null ? 'wait' : blocked !== null && receive === null ? 'receive' : 'blocked';
  if (rest > 0) parts[place] = (parts[place] ?? 0) + rest;
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, milliseconds(part) ?? UNKNOWN]),
  ) as Record<keyof typeof parts, number>;
}

/** What is known of the connect, µs. HTTP/3 has no separate TCP handshake: `tls` covers both. */
function connectOf(sample: StoredSample): number | null {
  const { dns, tcp, tls } = sample.times;
  const setUp = isUndivided(sample) ? findSetUp(sample) : null;
  if (setUp !== null) return setUp - (dns ?? 0);
  return tcp === null && tls === null ? null : (tcp ?? 0) + (tls ?? 0);
}

function milliseconds(microseconds: number | null): number | null {
  return microseconds === null ? null : microseconds / 1000;
}

function addressOf({ scheme, host, template }: StoredSample): string {
  // Older data may hold lone surrogates, for which encodeURI throws.
  const path = (template.startsWith('/') ? template : `/${template}`).toWellFormed();
  return `${scheme}://${host === OVERFLOW_NAME ? OTHER_HOST : host}${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`;
}
