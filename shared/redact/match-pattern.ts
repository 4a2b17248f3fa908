import { canonicalHost } from './host-name.ts';
import { type HttpUrl, parseHttpUrl } from './http-url.ts';

/**
 * WebExtension match patterns, http(s) only, with an optional port: `https://erp.example.com:8443/app/*`,
 * `*://*.example.com/*`. Patterns for "everything" are refused, since nothing is collected outside the targets.
 * https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Match_patterns
 */
const PATTERN = /^(\*|https?):\/\/([^/:[\]]+|\[[0-9a-f:.]+\])(?::(\d{1,5}|\*))?(\/.*)$/i;
/** Once accepted, though matching nothing: `https://1/*`, `http://[:::]/*`, `https://*.*\/*`. No upgrade may fail. */
const ONCE_ACCEPTED = /^(?:\[[0-9a-f:.]+\]|\*\.\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/i;
/** As the URL parser writes it already, without a dot segment: no URL has to be parsed. */
const PLAIN_PATH = /^(?:[\w/*~-]|(?<=\w)\.)*$/;
/** The suffixes a mistake would produce. Not every single label: an intranet may use `*.corp`. */
const PUBLIC_SUFFIX = /^\*\.(?:[a-z]{2}|com|net|org|edu|gov|mil|info|biz|app|dev|cloud|online|site|shop)$/;
const MAX_PATTERN_LENGTH = 300;
const MAX_PORT = 65_535;

interface ParsedPattern {
  readonly scheme: string;
  /** Canonical, after `*.` if there is one, or `*`; null if it is none. */
  readonly host: string | null;
  readonly written: string;
  /** Undefined: any port. */
  readonly port: string | undefined;
  /** As the URL parser writes it: `/ä/*` is `/%C3%A4/*`, `/a/../x` is `/x`. https://url.spec.whatwg.org/#path-state */
  readonly path: string;
}

/** What is wrong with a pattern and what to write instead, by a stable code. */
export const PATTERN_FAULTS = {
  every_site: 'matches every site; name the host of the app: https://app.example.com/*',
  too_long: `is longer than ${MAX_PATTERN_LENGTH} characters, counted as browsers write it`,
  no_pattern: 'is not of the form scheme://host/path, such as https://app.example.com/*',
  every_host: 'matches every host; name the host of the app: https://app.example.com/*',
  public_suffix: 'matches a whole top-level domain; name the domain: *.example.com',
  host: 'has a host that is neither a name, an address nor *.name',
  port: `has a port above ${MAX_PORT}`,
  fragment: 'contains a fragment (#), which no request has',
  space: 'has a space or a control character; write %20 for a space',
  placeholder: 'has braces in its path, which match only themselves; write * for what varies, or %7B and %7D',
} as const;

export type PatternFault = keyof typeof PATTERN_FAULTS;

/** Null if the pattern is valid. */
export function validateMatchPattern(pattern: string): PatternFault | null {
  if (pattern === '<all_urls>') return 'every_site';
  if (pattern.length > MAX_PATTERN_LENGTH) return 'too_long';
  const parsed = parsePattern(pattern);
  if (parsed === null) return 'no_pattern';
  if (parsed.host === '*') return 'every_host';
  if (PUBLIC_SUFFIX.test(parsed.host ?? '')) return 'public_suffix';
  if (parsed.host === null && !ONCE_ACCEPTED.test(parsed.written)) return 'host';
  if (parsed.port !== undefined && Number(parsed.port) > MAX_PORT) return 'port';
  return pattern.includes('#') ? 'fragment' : null;
}

/** The URL parser removes or encodes these: they are mistakes. */
const NEVER_IN_ADDRESS = /[\s\p{Cc}]/u;
const BRACE_IN_PATH = /^[^?]*[{}]/;

/** Stricter than `validateMatchPattern`: settings stored before this check must not stop an upgraded collector. */
export function validateNewMatchPattern(pattern: string): PatternFault | null {
  if (NEVER_IN_ADDRESS.test(pattern)) return 'space';
  const fault = validateMatchPattern(pattern);
  if (fault !== null) return fault;
  const { host, written } = parsePattern(pattern) ?? {};
  if (host === null) return written === '*.*' ? 'every_host' : 'host';
  if (BRACE_IN_PATH.test(pattern)) return 'placeholder';
  return canonicalPattern(pattern).length > MAX_PATTERN_LENGTH ? 'too_long' : null;
}

/**
 * The first target with a matching pattern; null outside all targets. Patterns that `validateMatchPattern` refuses match
 * nothing. The path is matched including the query, as browsers do.
 */
export function findTarget<T extends { readonly match: readonly string[] }>(
  url: string,
  targets: readonly T[],
): T | null {
  const parsed = parseHttpUrl(url);
  if (parsed === null) return null;
  return targets.find((target) => target.match.some((pattern) => matchesParsed(pattern, parsed))) ?? null;
}

/**
 * The same pattern without its port, for `permissions` and `scripting.registerContentScripts`, where Firefox refuses ports.
 * It matches more, so `findTarget` has to check again.
 */
export function withoutPort(pattern: string): string {
  const parsed = parsePattern(pattern);
  return parsed === null ? pattern : `${parsed.scheme}://${parsed.host ?? parsed.written}${parsed.path}`;
}

/** The same pattern with its host and path as browsers spell them. */
export function canonicalPattern(pattern: string): string {
  const parsed = parsePattern(pattern);
  if (parsed === null || parsed.host === null) return pattern;
  const { scheme, host, port, path } = parsed;
  return `${scheme}://${host}${port === undefined ? '' : `:${port}`}${path}`;
}

/** The pattern for a manifest's `host_permissions`, which browsers grant by host, whatever the path. */
export function hostPermission(pattern: string): string {
  const parsed = parsePattern(pattern);
  return parsed === null ? pattern : `${parsed.scheme}://${parsed.host ?? parsed.written}/*`;
}

/** The one host that a pattern matches; null for a wildcard. */
export function exactHost(pattern: string): string | null {
  const host = parsePattern(pattern)?.host ?? null;
  return host === null || host.startsWith('*') ? null : host;
}

function matchesParsed(pattern: string, url: HttpUrl): boolean {
  if (validateMatchPattern(pattern) !== null) return false;
  const parsed = parsePattern(pattern);
  if (parsed === null || parsed.host === null) return false;
  if (parsed.scheme !== '*' && parsed.scheme !== url.scheme) return false;
  if (!matchesHost(parsed.host, url.hostname)) return false;
  if (parsed.port !== undefined && parsed.port !== '*' && Number(parsed.port) !== portOf(url)) return false;
  return matchesGlob(parsed.path, url.pathname + url.search);
}

function parsePattern(pattern: string): ParsedPattern | null {
  const [, scheme, host, port, path] = PATTERN.exec(pattern) ?? [];
  if (scheme === undefined || host === undefined || path === undefined) return null;
  const [, wildcard = '', name = ''] = /^(\*\.)?(.*)$/.exec(host) ?? [];
  const canonical = host === '*' ? host : canonicalHost(name);
  const url = PLAIN_PATH.test(path) ? null : parseHttpUrl(`http://a${path}`);
  return {
    scheme: scheme.toLowerCase(),
    host: canonical === null || canonical.endsWith('.') ? null : wildcard + canonical,
    written: host,
    port,
    path: url === null ? path : url.pathname + url.search,
  };
}

function portOf(url: HttpUrl): number {
  return url.port === '' ? (url.scheme === 'https' ? 443 : 80) : Number(url.port);
}

/** `*.example.com` matches example.com too. */
function matchesHost(pattern: string, hostname: string): boolean {
  if (!pattern.startsWith('*.')) return pattern === hostname;
  return hostname === pattern.slice(2) || hostname.endsWith(pattern.slice(1));
}

/** `*` is any text. Not a regular expression, since many stars against a long URL would take polynomial time. */
function matchesGlob(glob: string, text: string): boolean {
  const [head = '', ...rest] = glob.split('*');
  if (rest.length === 0) return glob === text;
  if (!text.startsWith(head)) return false;
  const tail = rest.pop() ?? '';
  let from = head.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - tail.length >= from && text.endsWith(tail);
}
