import { constants } from 'node:crypto';
import type { TlsOptions } from 'node:tls';

/** A session that ends as soon as it began, and no ticket to resume it by: every handshake is a full one. */
export function noTickets(): TlsOptions {
  return { secureOptions: constants.SSL_OP_NO_TICKET, sessionTimeout: 1 };
}
