import { type LookupAddress, lookup } from 'node:dns';
import { promisify } from 'node:util';
import { addressRules, LOOPBACK } from './address-rules.ts';
import { OutgoingFailure } from './outgoing-failure.ts';

type LookUp = (host: string, options: { readonly all: true }) => Promise<readonly Pick<LookupAddress, 'address'>[]>;

/** Rule for addresses from the command line or the environment: loopback and private ones are the operator’s own. */
const RULES = addressRules({ allow: LOOPBACK });

/**
 * Refuses link-local and metadata addresses, as a template or a script that fills in an address may name one, in any spelling
 * that a connection understands: 2852039166 is 169.254.169.254. A name is looked up; one that is unknown now is left to the
 * connection. Throws an OutgoingFailure.
 *
 * @param option what names the address, for the message
 * @param host a host name, an IP address with or without brackets, or the path of a socket
 */
export async function checkOperatorAddress(
  option: string,
  host: string,
  lookUp: LookUp = promisify(lookup),
): Promise<void> {
  if (host.startsWith('/')) return;
  const bare = host.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const url = `http://${bare.includes(':') ? `[${bare}]` : bare}/`;
  const name = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : bare;
  const found = await lookUp(name, { all: true }).catch(() => []);
  const refused = found.find(({ address }) => !RULES.allows(address));
  if (refused === undefined) return;
  throw new OutgoingFailure(
    'address_refused',
    `${option} leads to ${host === refused.address ? host : `${host} (${refused.address})`}, which is no server's own address`,
    'Link-local, metadata, multicast and reserved addresses are refused: name the server by its own.',
  );
}
