import type { SecretReference } from '../../shared/settings/secret-reference.ts';
import { type AddressGuard, addressGuard } from './address-guard.ts';
import { addressRules, LOOPBACK } from './address-rules.ts';
import { readSecret, type SecretPlaces } from './read-secret.ts';

export interface OutgoingOptions {
  /** Address ranges, such as `10.0.0.0/8`; a longer prefix goes before a shorter one. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly secrets?: SecretPlaces;
}

/** What settings can make the collector do outside of itself: send to an address, and read a secret for that. */
export interface Outgoing {
  readonly guard: AddressGuard;
  /** For what the command line itself names, such as --otlp: an agent on this machine is the usual case. */
  readonly operatorGuard: AddressGuard;
  /** Throws an OutgoingFailure. */
  secret(reference: SecretReference): Promise<string>;
}

/** Without options: nothing on this machine is reached, and there are no secrets. */
export function createOutgoing({ allow = [], deny = [], secrets }: OutgoingOptions = {}): Outgoing {
  const places = secrets ?? { folder: null, environment: {} };
  return {
    guard: addressGuard(addressRules({ allow, deny })),
    operatorGuard: addressGuard(addressRules({ allow: [...allow, ...LOOPBACK], deny })),
    secret: (reference) => readSecret(reference, places),
  };
}
