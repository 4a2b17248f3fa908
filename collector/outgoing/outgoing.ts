import type { SecretReference } from '../../shared/settings/secret-reference.ts';
import { type AddressGuard, addressGuard } from './address-guard.ts';
import { addressRules, LOOPBACK } from './address-rules.ts';
import { readSecret, type SecretPlaces } from './read-secret.ts';

export interface OutgoingOptions {
  /** Address ranges, such as `10.0.0.0/8`; a longer prefix takes precedence over a shorter one. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly secrets?: SecretPlaces;
}

/** What settings can make the collector do: send to an address, and read a secret for it. */
export interface Outgoing {
  readonly guard: AddressGuard;
  /** For addresses on the command line, such as --otlp: usually an agent on this machine. */
  readonly operatorGuard: AddressGuard;
  /** Throws an OutgoingFailure. */
  secret(reference: SecretReference): Promise<string>;
}

/** Without options, nothing on this machine can be reached, and there are no secrets. */
export function createOutgoing({ allow = [], deny = [], secrets }: OutgoingOptions = {}): Outgoing {
  const places = secrets ?? { folder: null, environment: {} };
  return {
    guard: addressGuard(addressRules({ allow, deny })),
    operatorGuard: addressGuard(addressRules({ allow: [...allow, ...LOOPBACK], deny })),
    secret: (reference) => readSecret(reference, places),
  };
}
