import { canonicalHost } from './host-name.ts';

export interface Cidr {
  /** In its shortest spelling, without brackets. */
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const IPV4 = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/;
const PREFIX = /^(0|[1-9]\d{0,2})$/;

/** An IP network such as `10.1.0.0/16` or `2001:db8::/32`; null for anything else. RFC 4632, RFC 4291 section 2.3. */
export function parseCidr(text: string): Cidr | null {
  const [written = '', length = '', ...rest] = text.split('/');
  if (rest.length > 0 || !PREFIX.test(length)) return null;
  const prefix = Number(length);
  const family = isIPv4(written) ? 'ipv4' : written.includes(':') ? 'ipv6' : null;
  const address = family === 'ipv4' ? written : (canonicalHost(written)?.slice(1, -1) ?? '');
  return family === null || address === '' || prefix > (family === 'ipv4' ? 32 : 128)
    ? null
    : { address, prefix, family };
}

function isIPv4(address: string): boolean {
  return IPV4.test(address) && address.split('.').every((part) => Number(part) <= 255);
}
