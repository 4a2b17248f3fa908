import type { Socket } from 'node:net';

/**
 * No two open connections have the same. Node reports a finished TLS handshake with a different socket object from the one
 * it was given: both have this name.
 */
export function connectionName({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
