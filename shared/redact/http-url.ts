import type { Scheme } from '../vocabulary/vocabulary.ts';

/** The part of the URL standard used here. Node, page, worker and background all have it; the ES library does not. */
declare const URL: new (
  url: string,
) => Omit<HttpUrl, 'scheme'> & Readonly<Record<'protocol' | 'username' | 'password', string>>;

export interface HttpUrl {
  readonly scheme: Scheme;
  /** Lower case, without port, user or password. */
  readonly hostname: string;
  /** Empty for the scheme's default port. */
  readonly port: string;
  readonly origin: string;
  readonly pathname: string;
  readonly search: string;
}

/** Null for anything other than http(s): `data:`, `blob:`, `about:`, an extension's own files, malformed text. */
export function parseHttpUrl(url: string): HttpUrl | null {
  try {
    const { protocol, hostname, port, origin, pathname, search } = new URL(url);
    const scheme = protocol === 'https:' ? 'https' : protocol === 'http:' ? 'http' : null;
    return scheme === null || hostname === '' ? null : { scheme, hostname, port, origin, pathname, search };
  } catch {
    return null;
  }
}

export function isSecure(url: string): boolean {
  return parseHttpUrl(url)?.scheme === 'https';
}

/** The host is an IP address, so there is no lookup. The URL parser has normalised it. */
export function isLiteralAddress(url: string): boolean {
  const hostname = parseHttpUrl(url)?.hostname ?? '';
  return hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Whether the URL contains a user or a password: a secret in the wrong place, and fetch refuses such URLs. Checked after
 * parsing, since `https:user@host` and `https:\\user@host` name a user too.
 */
export function hasCredentials(url: string): boolean {
  try {
    const { username, password } = new URL(url);
    return username !== '' || password !== '';
  } catch {
    return false;
  }
}
