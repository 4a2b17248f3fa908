import type { StoredSample } from '../../../shared/sample/sample.ts';
import type { ResourceType } from '../../../shared/vocabulary/vocabulary.ts';
import { isUndivided, setUpOf } from '../../reductions/set-up.ts';

/** "Not known" of every number in a HAR. http://www.softwareishard.com/blog/har-12-spec/#timings */
const UNKNOWN = -1;

/** What Chromium's developer tools name a resource type. */
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
};

/**
 * One sample as an entry of HAR 1.2. What nobody recorded (method, headers, bodies) is empty; names that begin with an
 * underscore are ours, as the specification asks for. The address holds the path template, its braces encoded.
 *
 * HAR's `connect` includes `ssl`. `send` is part of `wait` here: browsers don't tell it. `time` is the sum of the known
 * timings, as the specification defines it.
 *
 * @param columns names of the columns that the recipient may see
 */
export function harEntry(sample: StoredSample, columns: ReadonlySet<string>) {
  const { times } = sample;
  const size = (name: 'transferSize' | 'encodedBodySize' | 'decodedBodySize') =>
    (columns.has(name) ? sample[name] : null) ?? UNKNOWN;
  const own = {
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
  // −1 is also how HAR says that there was no such phase.
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
  const { ssl: _within, ...parts } = timings;
  const time = Object.values(parts).reduce((sum, part) => sum + Math.max(0, Math.round(part * 1000)), 0) / 1000;
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
    timings,
    ...(sample.connection === 'cache' ? { _fromCache: 'disk' } : {}),
    _resourceType: RESOURCE_TYPES[sample.type],
    _lastbyte: {
      ...Object.fromEntries(Object.entries(own).filter(([name]) => columns.has(name))),
      ttfb: times.ttfb === null ? null : times.ttfb / 1000,
      ttlb: times.ttlb === null ? null : times.ttlb / 1000,
    },
  };
}

/** On HTTP/3 there is no TCP of its own: `tls` carries both. */
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
  // Older data may hold half of a surrogate pair, for which encodeURI throws.
  const path = (template.startsWith('/') ? template : `/${template}`).toWellFormed();
  return `${scheme}://${host.startsWith('(') ? 'other.invalid' : host}${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`;
}
