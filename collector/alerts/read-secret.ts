import { readFile } from 'node:fs/promises';
import type { SecretReference } from '../../shared/settings/secret-reference.ts';

/** Larger files are no secret, bytes. */
const MAX_SECRET_BYTES = 64 * 1024;

/** A secret that cannot be read; the message names the reference, never a value. */
export class SecretMissing extends Error {}

/** Read anew each time: a changed secret counts at once. */
export async function readSecret({ env, file }: SecretReference): Promise<string> {
  if (env !== undefined) {
    const value = process.env[env];
    if (value === undefined || value === '') throw new SecretMissing(`the environment variable ${env} is not set`);
    return value;
  }
  const content = await readFile(file ?? '').catch(() => {
    throw new SecretMissing(`the file ${file} cannot be read`);
  });
  if (content.length > MAX_SECRET_BYTES) throw new SecretMissing(`the file ${file} is too large for a secret`);
  return content.toString('utf8').trim();
}
