import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ClientConfig } from 'pg';
import { StoreError } from '../store-error.ts';

/** Part of a connection's configuration that the address decides. What it leaves out, libpq's variables decide: PGPASSWORD. */
export type ControlAddress = Pick<ClientConfig, 'port' | 'user' | 'password' | 'database' | 'ssl'> & {
  readonly host: string;
};

const PARAMETERS: ReadonlySet<string> = new Set(['host', 'sslmode', 'sslrootcert']);
const EXAMPLE = 'postgres://lastbyte@db.example.com/lastbyte?sslrootcert=/etc/lastbyte/db-ca.pem';

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. Settings, hashes of tokens and alerts must not travel in the clear:
 * other machines are reached over TLS with a verified certificate, unless the address says `sslmode=disable`.
 */
export function parseControlAddress(text: string): ControlAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw invalid('it is not the address of one PostgreSQL server', `Write it like ${EXAMPLE}`);
  }
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name))
      throw invalid(`its parameter ${name} is unknown`, `Known: ${[...PARAMETERS].join(', ')}.`);
    // Readers differ in which of them counts.
    if (url.searchParams.getAll(name).length > 1)
      throw invalid(`its parameter ${name} is there twice`, 'Leave out all but the one that is meant.');
  }
  const database = decoded(url.pathname.slice(1));
  if (database === '') throw invalid('it names no database', `Write it like ${EXAMPLE}`);
  const host = url.searchParams.get('host') ?? decoded(url.hostname).replace(/^\[|\]$/g, '');
  if (host === '') throw invalid('it names no host', `Write it like ${EXAMPLE}`);
  return {
    host,
    database,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    ...(url.username === '' ? {} : { user: decoded(url.username) }),
    ...(url.password === '' ? {} : { password: decoded(url.password) }),
    ssl: tlsOf(url.searchParams, host),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw invalid('a % in it stands for no character', 'Write %25 for a % in the password, or use PGPASSWORD.', error);
  }
}

function tlsOf(parameters: URLSearchParams, host: string): ControlAddress['ssl'] {
  const rootCertificate = parameters.get('sslrootcert');
  const isHere =
    host.startsWith('/') || host === 'localhost' || host === '::1' || (isIP(host) === 4 && /^127\./.test(host));
  const mode = parameters.get('sslmode') ?? (isHere && rootCertificate === null ? 'disable' : 'verify-full');
  if (mode === 'disable') return false;
  if (mode !== 'verify-full') {
    throw invalid(
      `sslmode=${mode} does not prove that the server is the right one`,
      'Use sslmode=verify-full, with sslrootcert=FILE for a certificate authority of your own.',
    );
  }
  if (rootCertificate === null) return true;
  try {
    return { ca: readFileSync(rootCertificate, 'utf8') };
  } catch (error) {
    throw invalid(`${rootCertificate} cannot be read`, 'Check the path in sslrootcert and its permissions.', error);
  }
}

/** Never quotes the address, which may contain a password. */
function invalid(reason: string, hint: string, cause?: unknown): StoreError {
  return new StoreError(
    'control_address_invalid',
    `the address of the control database cannot be used: ${reason}`,
    hint,
    cause,
  );
}
