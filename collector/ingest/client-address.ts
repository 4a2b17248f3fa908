/** Longer than any address; what a proxy writes is not ours to trust. */
const MAX_LENGTH = 64;
const IPV6_GROUPS = 8;
/** A /64 is one link: whoever has one address of it may use all of them. */
const LINK_GROUPS = 4;
/** The largest block that one network is given as a matter of course: https://www.rfc-editor.org/rfc/rfc6177 */
const NETWORK_GROUPS = 3;

/** What stands for one client when room and cost are shared out: an IPv4 address, or the /64 of an IPv6 address. */
export function clientAddress(ip: string): string {
  const text = ip.slice(0, MAX_LENGTH);
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

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
