import { parseHttpUrl } from '../redact/http-url.ts';
import type { TimingEntry } from '../timing/timing-entry.ts';
import type { ResourceType } from '../vocabulary/vocabulary.ts';

/**
 * The only table of resource types, printed in docs/measurement.md. Checked in this order: the kind of request (a
 * navigation, a beacon), the content type if it says more than "text" or "data", the initiator, the path's ending.
 */
const CONTENT_TYPES: readonly (readonly [RegExp, ResourceType])[] = [
  [/^text\/css$/, 'style'],
  [/^(text|application)\/(x-)?(java|ecma)script$/, 'script'],
  [/^image\//, 'image'],
  [/^(font\/|application\/((x-)?font-|vnd\.ms-fontobject$))/, 'font'],
  [/^(audio|video)\/|^application\/(vnd\.apple\.mpegurl|dash\+xml)$/, 'media'],
];

/** `css`, `link`, `other`, `embed` and `object` load anything, so there the path decides. */
export const INITIATORS: Readonly<Record<string, ResourceType>> = {
  audio: 'media',
  body: 'image',
  eventsource: 'fetch',
  fetch: 'fetch',
  frame: 'iframe',
  icon: 'image',
  iframe: 'iframe',
  image: 'image',
  img: 'image',
  input: 'image',
  navigation: 'document',
  script: 'script',
  source: 'media',
  track: 'media',
  video: 'media',
  xmlhttprequest: 'fetch',
};

export const PATH_ENDINGS: readonly (readonly [RegExp, ResourceType])[] = [
  [/\.(c|m)?js$/, 'script'],
  [/\.css$/, 'style'],
  [/\.(avif|bmp|gif|ico|jpe?g|png|svg|webp)$/, 'image'],
  [/\.(eot|otf|ttf|woff2?)$/, 'font'],
  [/\.(m3u8|m4[av]|mov|mp[34]|mpd|oga|ogg|ogv|wav|webm)$/, 'media'],
  [/\.json$/, 'fetch'],
];

const BEACON_INITIATORS: readonly string[] = ['beacon', 'ping'];

/** With `topFrame` false, a navigation is an iframe's. */
export function classifyResource(
  entry: Pick<TimingEntry, 'entryType' | 'initiatorType' | 'contentType' | 'name'>,
  topFrame = true,
): ResourceType {
  if (entry.entryType === 'navigation') return topFrame ? 'document' : 'iframe';
  const initiator = entry.initiatorType.toLowerCase();
  if (BEACON_INITIATORS.includes(initiator)) return 'beacon';
  const path = parseHttpUrl(entry.name)?.pathname ?? '';
  return (
    find(CONTENT_TYPES, bareType(entry.contentType ?? '')) ??
    (Object.hasOwn(INITIATORS, initiator) ? INITIATORS[initiator] : undefined) ??
    find(PATH_ENDINGS, withoutParameters(path)) ??
    'other'
  );
}

function find(table: readonly (readonly [RegExp, ResourceType])[], text: string): ResourceType | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}

/** `Text/CSS; charset=utf-8` → `text/css`. */
function bareType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** `/a.js;jsessionid=1` ends in `.js`. */
function withoutParameters(path: string): string {
  return (path.slice(path.lastIndexOf('/') + 1).split(';', 1)[0] ?? '').toLowerCase();
}
