import { parseHttpUrl } from './http-url.ts';

/** Characters of the longest name in the DNS: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4 */
export const MAX_HOST_LENGTH = 253;

/** In canonical form already, as nearly every host is: no URL has to be parsed for each request. */
const PLAIN = /^(?:[a-z0-9_-]+\.)*[a-z_][a-z0-9_-]*$/;
/** What would end or change the host in a URL. */
const NEVER_IN_HOST = /[\s\p{Cc}/?#@\\%<>^|]/u;
const IPV6 = /^\[?([0-9a-f:.]*:[0-9a-f:.]*)\]?$/i;
/** `1` and `0x7f.1` are IPv4 addresses to the URL standard, and mistakes in settings. */
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const CANONICAL = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:]+\])$/;

/**
 * A host in the one form in which samples name it (`URL.hostname`): lower case, punycode, IPv6 in brackets and shortest.
 * Takes Unicode, any spelling of IPv6, with brackets or not. Null for what is no host.
 * https://url.spec.whatwg.org/#host-parsing
 */
export function canonicalHost(host: string): string | null {
  if (PLAIN.test(host) && !host.includes('xn--')) return host;
  if (NEVER_IN_HOST.test(host)) return null;
  const [, address] = IPV6.exec(host) ?? [];
  const hostname = parseHttpUrl(`http://${address === undefined ? host : `[${address}]`}/`)?.hostname ?? '';
  if (address === undefined && host.includes(':')) return null;
  if (IPV4.test(hostname) && hostname !== host) return null;
  return CANONICAL.test(hostname) ? hostname : null;
}

/** What to write instead of a text that is no host: the host within a URL or before a port, if that is what it is. */
export function hostHint(text: string): string {
  const { hostname = '' } = parseHttpUrl(`http://${text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')}`) ?? {};
  const host = hostname === '' ? null : canonicalHost(hostname);
  return host === null ? 'Write a name or an address, such as erp.example.com.' : `Name the host alone: ${host}`;
}
