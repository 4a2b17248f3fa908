import { isIP } from 'node:net';

/** Longer than any address; what a proxy writes is not ours to trust. */
const MAX_LENGTH = 64;
/** Stands for everything that is no address: together one client, or each made-up text would be one of its own. */
const NO_ADDRESS = '';
const IPV6_GROUPS = 8;
/** A /64 is one link: whoever has one address of it may use all of them. */
const LINK_GROUPS = 4;
/** The largest block that one network is given as a matter of course: https://www.rfc-editor.org/rfc/rfc6177 */
const NETWORK_GROUPS = 3;

/**
 * What stands for one client when room and cost are shared out: an IPv4 address, or the /64 of an IPv6 address. Some proxies
 * write a port behind the address, another one for each connection.
 */
export function clientAddress(ip: string): string {
  const text = withoutPort(ip.slice(0, MAX_LENGTH));
  if (isIP(text) === 0) return NO_ADDRESS;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  if (!text.includes(':')) return text;
  const [head = '', tail] = (text.split('%')[0] ?? '').split('::');
  const left = groupsOf(head);
  if (tail === undefined) return left.slice(0, LINK_GROUPS).join(':');
  const right = groupsOf(tail);
  const zeros = new Array<string>(Math.max(0, IPV6_GROUPS - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].slice(0, LINK_GROUPS).join(':');
}

/** The /48 around a client address of IPv6, which has 65,536 of them; an IPv4 address stands for itself. */
export function networkOf(address: string): string {
  return address.includes(':') ? `${address.split(':').slice(0, NETWORK_GROUPS).join(':')}::` : address;
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as in https://www.rfc-editor.org/rfc/rfc7239#section-6 */
function withoutPort(text: string): string {
  const [, v4, v6] = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(text) ?? [];
  return v4 ?? v6 ?? text;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
