import type { StoredSample } from '../../../shared/sample/sample.ts';
import { rowReader } from '../../../shared/sample/sample-reader.ts';
import type { ResourceType } from '../../../shared/vocabulary/vocabulary.ts';
import { isUndivided, setUpOf } from '../../reductions/set-up.ts';
import type { Encode } from './export-format.ts';

/** A few milliseconds of the event loop, so that batches are accepted between two pieces. */
const ROWS_AT_ONCE = 200;

/** "Unknown" for every number in a HAR. http://www.softwareishard.com/blog/har-12-spec/#timings */
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
    name: 'Lastbyte',
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
 * with an underscore, as the specification requires. The address is the path template with its braces encoded.
 *
 * HAR's `connect` includes `ssl`. `send` is part of `wait` here, because browsers don't report it. `time` is the sum of
 * the known timings, as the specification defines it.
 *
 * @param columns names of the columns that the recipient may see
 */
export function harEntry(sample: StoredSample, columns: ReadonlySet<string>) {
  const { times } = sample;
  const size = (name: 'transferSize' | 'encodedBodySize' | 'decodedBodySize') =>
    (columns.has(name) ? sample[name] : null) ?? UNKNOWN;
  const custom = {
    source: sample.source,
    type: sample.type,
    connection: sample.connection,
    connectionEvidence: sample.connectionEvidence,
    handshake: sample.handshake,
    excluded: sample.excluded,
    unknown: sample.unknown,
    metrics: sample.metrics,
    site: sample.origin.site,
    client: sample.origin.client,
  };
  // −1 is also HAR's value for a phase that did not happen.
  const reused = sample.connection === 'reused';
  const timings = {
    blocked: ms(times.blocked),
    dns: reused ? UNKNOWN : ms(times.dns),
    connect: reused ? UNKNOWN : connectOf(sample),
    send: times.wait === null ? UNKNOWN : 0,
    wait: ms(times.wait),
    receive: ms(times.receive),
    ssl: reused ? UNKNOWN : ms(times.tls),
  };
  const { ssl: _withinConnect, ...summands } = timings;
  const time = Object.values(summands).reduce((sum, ms) => sum + Math.max(0, Math.round(ms * 1000)), 0) / 1000;
  return {
    pageref: sample.target,
    startedDateTime: new Date(sample.at).toISOString(),
    time,
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
      content: { size: size('decodedBodySize'), mimeType: 'x-unknown' },
      redirectURL: '',
      headersSize: UNKNOWN,
      bodySize: size('encodedBodySize'),
      _transferSize: size('transferSize'),
      ...(sample.error === null || !columns.has('error') ? {} : { _error: sample.error }),
    },
    cache: {},
    timings:
      sample.connection === 'worker' ? { ...timings, comment: 'blocked: start-up of the service worker' } : timings,
    ...(sample.connection === 'cache' ? { _fromCache: 'disk' } : {}),
    _resourceType: RESOURCE_TYPES[sample.type],
    _lastbyte: {
      ...Object.fromEntries(Object.entries(custom).filter(([name]) => columns.has(name))),
      ttfb: times.ttfb === null ? null : times.ttfb / 1000,
      ttlb: times.ttlb === null ? null : times.ttlb / 1000,
    },
  };
}

/** HTTP/3 has no separate TCP handshake: `tls` covers both. */
function connectOf(sample: StoredSample): number {
  const { times, unknown } = sample;
  const { dns, tcp, tls } = times;
  if (isUndivided(sample)) {
    const setUp = setUpOf(sample);
    return setUp === null ? UNKNOWN : (setUp - (dns ?? 0)) / 1000;
  }
  if (tcp !== null) return (tcp + (tls ?? 0)) / 1000;
  return unknown.tcp === 'merged_h3' && tls !== null ? tls / 1000 : UNKNOWN;
}

function ms(microseconds: number | null): number {
  return microseconds === null ? UNKNOWN : microseconds / 1000;
}

function addressOf({ scheme, host, template }: StoredSample): string {
  // Older data may hold lone surrogates, for which encodeURI throws.
  const path = (template.startsWith('/') ? template : `/${template}`).toWellFormed();
  return `${scheme}://${host.startsWith('(') ? 'other.invalid' : host}${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`;
}
