import { parseHttpUrl } from './http-url.ts';

export interface Cidr {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const IPV4 = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/;
const IPV6 = /^[0-9a-f:.]{2,45}$/i;
const PREFIX = /^(0|[1-9]\d{0,2})$/;

/** An IP network such as `10.1.0.0/16` or `2001:db8::/32`; null for anything else. RFC 4632, RFC 4291 section 2.3. */
export function parseCidr(text: string): Cidr | null {
  const [address = '', length = '', ...rest] = text.split('/');
  if (rest.length > 0 || !PREFIX.test(length)) return null;
  const prefix = Number(length);
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null;
  return family === null || prefix > (family === 'ipv4' ? 32 : 128) ? null : { address, prefix, family };
}

function isIPv4(address: string): boolean {
  return IPV4.test(address) && address.split('.').every((part) => Number(part) <= 255);
}

/** As the URL standard reads it, which allows no zone. */
function isIPv6(address: string): boolean {
  return address.includes(':') && IPV6.test(address) && parseHttpUrl(`http://[${address}]/`) !== null;
}
