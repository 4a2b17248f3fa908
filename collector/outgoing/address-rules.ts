import { BlockList, isIP } from 'node:net';

/**
 * Refused unless the command line allows them. Private networks are not in the list, because an organisation's own webhooks
 * and mail servers are there. Loopback is, because its services trust every process on this machine.
 */
const DENIED_BY_DEFAULT = [
  // "This network", and the unspecified address: Linux connects 0.0.0.0 and :: to itself.
  '0.0.0.0/8',
  '::/128',
  // Loopback.
  '127.0.0.0/8',
  '::1/128',
  // Link-local: most clouds serve credentials at 169.254.169.254.
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata services elsewhere: Alibaba, Azure, Oracle; AWS, Google, Oracle, Scaleway.
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
  // Tunnels and translators with an uncertain IPv4 address: Teredo, and local-use NAT64 (RFC 8215), which has five positions
  // for it. Operators who use one can allow it.
  '2001::/32',
  '64:ff9b:1::/48',
  // Multicast, reserved and broadcast.
  '224.0.0.0/4',
  '240.0.0.0/4',
  'ff00::/8',
] as const;

export const LOOPBACK = ['127.0.0.0/8', '::1/128'] as const;

export interface AddressRules {
  /** Whether a connection to this IP address may be opened. False for anything but an IP address. */
  allows(address: string): boolean;
}

interface Range {
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
  readonly list: BlockList;
}

interface Rule extends Range {
  readonly allow: boolean;
  /** Among rules with the same prefix the highest rank decides. */
  readonly rank: number;
}

type Ranges = Readonly<Record<'allow' | 'deny', readonly string[]>>;

/**
 * The longest matching prefix decides, as in a routing table; among equal ones a denial precedes a permission, and both
 * precede the defaults. Addresses without a matching rule are allowed. @throws RangeError for an invalid range
 */
export function addressRules({ allow = [], deny = [] }: Partial<Ranges> = {}): AddressRules {
  const rules: Rule[] = [
    ...deny.map((text) => ({ ...parseRange(text), allow: false, rank: 2 })),
    ...allow.map((text) => ({ ...parseRange(text), allow: true, rank: 1 })),
    ...DENIED_BY_DEFAULT.map((text) => ({ ...parseRange(text), allow: false, rank: 0 })),
  ].sort((a, b) => b.prefix - a.prefix || b.rank - a.rank);
  const decide = (address: string, family: Range['family']) =>
    rules.find((rule) => rule.family === family && rule.list.check(address, family))?.allow ?? true;
  return {
    allows(address) {
      if (isIP(address) === 4) return decide(address, 'ipv4');
      if (isIP(address) !== 6) return false;
      const { mapped, embedded } = ipv4In(address);
      return (mapped || decide(address, 'ipv6')) && embedded.every((inner) => decide(inner, 'ipv4'));
    },
  };
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address. @throws RangeError with a message for the command line */
export function parseRange(text: string): Range {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  const max = family === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? max : Number(bits);
  if (isIP(address) === 0 || address.includes('%') || more.length > 0 || !isPrefix(bits, prefix, max)) {
    throw new RangeError(`${text} is not an address range, such as 127.0.0.1, 10.20.0.0/16 or fd00::/8.`);
  }
  if (family === 'ipv6' && ipv4In(address).mapped) throw new RangeError(`Write ${text} as an IPv4 range.`);
  const list = new BlockList();
  list.addSubnet(address, prefix, family);
  return { family, prefix, list };
}

function isPrefix(bits: string | undefined, prefix: number, max: number): boolean {
  return bits === undefined || (/^\d{1,3}$/.test(bits) && prefix <= max);
}

/**
 * The IPv4 addresses that an IPv6 address leads to: IPv4-mapped (::ffff:0:0/96), which the system itself connects by IPv4,
 * and those that a translator or tunnel on the way extracts: NAT64 (64:ff9b::/96 of RFC 6052, 64:ff9b:1::/96 of RFC 8215), SIIT
 * (::ffff:0:0:0/96), 6to4 (2002::/16), Teredo (2001::/32: its server, and the client with all bits inverted), ISATAP
 * (an interface of [02]00:5efe) and the retired ::/96.
 */
function ipv4In(address: string): { readonly mapped: boolean; readonly embedded: readonly string[] } {
  const words = wordsOf(address);
  const [first, second, third, , fifth = 0, sixth, seventh = 0, eighth = 0] = words;
  const zeros = (from: number, to: number) => words.slice(from, to).every((word) => word === 0);
  const mapped = zeros(0, 5) && sixth === 0xffff;
  const last = dotted(seventh, eighth);
  if (first === 0x2002) return { mapped, embedded: [dotted(second, third)] };
  if (first === 0x2001 && second === 0) {
    return { mapped, embedded: [dotted(third, words[3]), dotted(~seventh & 0xffff, ~eighth & 0xffff)] };
  }
  const nat64 = first === 0x64 && second === 0xff9b && (zeros(2, 6) || (third === 1 && zeros(3, 6)));
  const siit = zeros(0, 4) && fifth === 0xffff && sixth === 0;
  const isatap = (fifth === 0 || fifth === 0x200) && sixth === 0x5efe;
  // :: and ::1 embed no address.
  const compatible = zeros(0, 6) && (seventh !== 0 || eighth > 1);
  return { mapped, embedded: mapped || nat64 || siit || isatap || compatible ? [last] : [] };
}

/** The eight 16-bit words of an IPv6 address, in any of its many spellings. */
function wordsOf(address: string): number[] {
  const [bare = ''] = address.split('%');
  // The URL parser accepts them all and returns one: hexadecimal, with at most one ::.
  const [before = '', after] = new URL(`http://[${bare}]/`).hostname.slice(1, -1).split('::');
  const read = (text: string) => (text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16)));
  const [head, tail] = [read(before), read(after ?? '')];
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
