/** Longer than any address; what a proxy writes is not ours to trust. */
const MAX_LENGTH = 64;
const IPV6_GROUPS = 8;
/** A /64 is one network: whoever has one address of it may use all of them. */
const NETWORK_GROUPS = 4;

/** What stands for one client when room and cost are shared out: an IPv4 address, or the network of an IPv6 address. */
export function clientAddress(ip: string): string {
  const text = ip.slice(0, MAX_LENGTH);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  if (!text.includes(':')) return text;
  const [head = '', tail] = (text.split('%')[0] ?? '').split('::');
  const left = groupsOf(head);
  if (tail === undefined) return left.slice(0, NETWORK_GROUPS).join(':');
  const right = groupsOf(tail);
  const zeros = new Array<string>(Math.max(0, IPV6_GROUPS - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':');
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
