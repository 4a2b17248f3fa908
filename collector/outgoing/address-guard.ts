import { type LookupAddress, type LookupAllOptions, lookup as lookupBySystem } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { OutgoingFailure } from './outgoing-failure.ts';

type LookupAll = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Stands between every outgoing connection and the network. */
export interface AddressGuard {
  /**
   * For net.connect and what is built on it: answers with allowed addresses only, so the address that is connected to is the
   * one that was checked, whatever the name resolves to a moment later.
   */
  readonly lookup: LookupFunction;
  /** Call it too: no lookup is made for an IP address. Throws an OutgoingFailure. */
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

/** The address is told, or an operator could not allow it: admins learn what a name resolves to here. */
function refusal(host: string, address: string | null): OutgoingFailure {
  const where = address === null || address === host ? host : `${host} (${address})`;
  return new OutgoingFailure(
    'address_refused',
    `${where} is an address that nothing is sent to`,
    `If it is yours, add --outgoing-allow ${address ?? host} to lastbyte serve.`,
  );
}
