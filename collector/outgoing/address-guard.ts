import { type LookupAddress, type LookupAllOptions, lookup as lookupBySystem } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { OutgoingFailure } from './outgoing-failure.ts';

type LookupAll = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Checks every outgoing connection. Implemented here, since packages against server-side request forgery are agents for
 * HTTP, and mail needs the same check.
 */
export interface AddressGuard {
  /**
   * For net.connect and everything built on it: returns only allowed addresses, so that the connection uses an address that
   * was checked, whatever the name resolves to a moment later.
   */
  readonly lookup: LookupFunction;
  /** Call it as well, because IP addresses are not looked up. Throws an OutgoingFailure. */
  check(host: string): void;
}

export function addressGuard(rules: AddressRules, lookup: LookupAll = lookupBySystem): AddressGuard {
  return {
    lookup(host, options, done) {
      lookup(host, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, '', 0);
        const allowed = addresses.filter(({ address }) => rules.allows(address));
        const [first] = allowed;
        if (first === undefined) return done(refusal(host, addresses[0]?.address ?? null), '', 0);
        if (options.all === true) done(null, allowed);
        else done(null, first.address, first.family);
      });
    },
    check(host) {
      const bare = host.replace(/^\[|\]$/g, '');
      if (isIP(bare) !== 0 && !rules.allows(bare)) throw refusal(bare, bare);
    },
  };
}

/** Names the address, so that an operator can allow it: admins can see what a name resolves to here. */
function refusal(host: string, address: string | null): OutgoingFailure {
  const where = address === null || address === host ? host : `${host} (${address})`;
  return new OutgoingFailure(
    'address_refused',
    `sending to ${where} is not allowed`,
    `If it is yours, add --outgoing-allow ${address ?? host} to lastbyte serve.`,
  );
}
