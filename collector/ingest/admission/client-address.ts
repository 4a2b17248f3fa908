import { isIP } from 'node:net';

/** Longer than any address; the text comes from a proxy and may be anything. */
const MAX_LENGTH = 64;
/** All strings that aren't addresses count as one client; otherwise each invented string would be a new one. */
const NO_ADDRESS = '';
const IPV6_GROUPS = 8;
/** The largest block routinely assigned to one site: https://www.rfc-editor.org/rfc/rfc6177 */
const NETWORK_GROUPS = 3;

/**
 * The unit of limits: an IPv4 address, or the /48 of an IPv6 address. Ports, which some proxies append, are removed, since
 * they differ for each connection.
 */
export function toNetwork(ip: string): string {
  const text = withoutPort(ip.slice(0, MAX_LENGTH));
  if (isIP(text) === 0) return NO_ADDRESS;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  if (!text.includes(':')) return text;
  const [head = '', tail = ''] = (text.split('%')[0] ?? '').split('::');
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  const zeros = new Array<string>(Math.max(0, IPV6_GROUPS - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':')}::`;
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as in https://www.rfc-editor.org/rfc/rfc7239#section-6 */
function withoutPort(text: string): string {
  const [, v4, v6] = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(text) ?? [];
  return v4 ?? v6 ?? text;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
