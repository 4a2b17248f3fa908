import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { CommandFailure } from '../../lib/failure.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { errorCode, readText } from '../../lib/read-text.ts';

/** In the data folder, from which no file is served. */
export const SIGNING_KEY_FILE = 'signing-key.pem';

/** Like Chromium's own packager. */
const MODULUS_BITS = 2048;
const OWNER_ONLY = 0o600;

export interface SigningKey {
  readonly key: KeyObject;
  /** It did not exist before. */
  readonly made: boolean;
  /** Users other than its owner can read it. */
  readonly exposed: boolean;
}

/**
 * The key in that file, created if missing and never overwritten. The extension's id depends on it, and so does every
 * policy: a lost key means a new extension on every machine. Throws CommandFailure.
 */
export async function signingKey(file: string): Promise<SigningKey> {
  const made = await makeKey(file);
  const pem = await readText(file);
  const { mode } = await stat(file);
  return { key: parse(pem, file), made, exposed: process.platform !== 'win32' && (mode & 0o077) !== 0 };
}

async function makeKey(file: string): Promise<boolean> {
  if (existsSync(file)) return false;
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  try {
    await makeFolder(dirname(file));
    await writeFile(file, pem, { flag: 'wx', mode: OWNER_ONLY });
    return true;
  } catch (error) {
    // Another process has created it in the meantime: use that key.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new CommandFailure(`${file} cannot be written${errorCode(error)}`, 'Name another with --signing-key.');
  }
}

function parse(pem: string, file: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new CommandFailure(
      `${file} holds no private key`,
      'Restore it from your backup: a new key would give the extension another id.',
    );
  }
  if (key.asymmetricKeyType === 'rsa') return key;
  throw new CommandFailure(`${file} is a key of type ${key.asymmetricKeyType}`, 'Chromium packages need RSA.');
}
