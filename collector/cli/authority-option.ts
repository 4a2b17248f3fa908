import { X509Certificate } from 'node:crypto';
import { CommandFailure } from '../lib/failure.ts';
import { readText } from '../lib/read-text.ts';

/** The PEM of --ca. @throws CommandFailure */
export async function readAuthority(file: string): Promise<string> {
  const hint = 'Give --ca a certificate in PEM format, such as the one lastbyte target --ca writes.';
  const pem = await readText(file, hint);
  try {
    new X509Certificate(pem);
  } catch {
    throw new CommandFailure(`${file} holds no certificate`, hint);
  }
  return pem;
}
