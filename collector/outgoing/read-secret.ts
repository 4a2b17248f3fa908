import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { secretFault } from '../../shared/settings/secret-problems.ts';
import type { SecretReference } from '../../shared/settings/secret-reference.ts';
import { OutgoingFailure } from './outgoing-failure.ts';

/** Larger files are refused, bytes. */
const MAX_SECRET_BYTES = 64 * 1024;

/** Where secrets may be stored. Set only by the command line, because settings are written over HTTP. */
export interface SecretPlaces {
  /** null: no file is read. */
  readonly folder: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The current secret: a change takes effect at once. Throws an OutgoingFailure. */
export async function readSecret(reference: SecretReference, places: SecretPlaces): Promise<string> {
  const fault = secretFault(reference);
  if (fault !== null) throw new OutgoingFailure('secret_refused', fault.message, fault.hint);
  const { env, file = '' } = reference;
  const value = env === undefined ? await readFile(file, places.folder) : (places.environment[env] ?? '');
  if (value !== '') return value;
  if (env === undefined) throw missing(file, 'is empty');
  throw new OutgoingFailure(
    'secret_missing',
    `the environment variable ${env} is not set`,
    'Set it for lastbyte serve, and restart it.',
  );
}

async function readFile(name: string, folder: string | null): Promise<string> {
  if (folder === null) throw missing(name, 'cannot be read: there is no secrets folder');
  const path = await pathOf(name, folder);
  // O_NOFOLLOW: links are already resolved. O_NONBLOCK: a pipe without a writer would block the thread for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let handle: FileHandle;
  try {
    handle = await open(path, flags);
  } catch (error) {
    throw missing(name, `cannot be read${codeOf(error)}`);
  }
  try {
    if (!(await handle.stat()).isFile()) throw refused(name, 'is not a regular file');
    // One byte more detects a file that is too large, whatever size it reports.
    const content = Buffer.alloc(MAX_SECRET_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < content.length; length += read) {
      ({ bytesRead: read } = await handle.read(content, length, content.length - length));
    }
    if (length > MAX_SECRET_BYTES) throw refused(name, 'is larger than 64 KB');
    return content.toString('utf8', 0, length).trim();
  } catch (error) {
    throw error instanceof OutgoingFailure ? error : missing(name, `cannot be read${codeOf(error)}`);
  } finally {
    await handle.close();
  }
}

/** Follows links that stay within the folder: Kubernetes mounts each secret as one. */
async function pathOf(name: string, folder: string): Promise<string> {
  let paths: [string, string];
  try {
    paths = await Promise.all([realpath(folder), realpath(join(folder, name))]);
  } catch (error) {
    throw missing(name, `cannot be read${codeOf(error)}`);
  }
  const [root, path] = paths;
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) throw refused(name, 'links outside it');
  return path;
}

function refused(name: string, why: string): OutgoingFailure {
  return new OutgoingFailure(
    'secret_refused',
    `${name} in the secrets folder ${why}`,
    'Put a text file of that name there.',
  );
}

function missing(name: string, why: string): OutgoingFailure {
  return new OutgoingFailure(
    'secret_missing',
    `${name} in the secrets folder ${why}`,
    'Put the file into the folder of lastbyte serve --secrets-dir, readable by its user.',
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${error.code})` : '';
}
