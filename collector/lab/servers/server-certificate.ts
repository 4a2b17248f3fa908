import 'reflect-metadata'; // @peculiar/x509 needs it, and needs it first
import type { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { ocspStaple } from './ocsp-staple.ts';

/** Long enough for any run. */
const LIFETIME_MS = 30 * 24 * 3600 * 1000;
/** Certificates have whole seconds, and the browser may read its clock before we read ours. */
const BACKDATED_MS = 3600 * 1000;

const rsa = (modulusLength: number) => ({
  ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ...{ modulusLength, publicExponent: new Uint8Array([1, 0, 1]) },
});
const KEYS = {
  'rsa-2048': rsa(2048),
  'rsa-3072': rsa(3072),
  'rsa-4096': rsa(4096),
  'p-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'p-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
};
export type KeyKind = keyof typeof KEYS;
export const KEY_KINDS = Object.keys(KEYS) as readonly KeyKind[];

export interface ServerCertificate {
  /** The authority, to be trusted in a temporary profile only. PEM. */
  readonly authority: string;
  /** Leaf first, authority last: Chromium compares its trusted keys with the certificates the server sends. PEM. */
  readonly chain: string;
  /** PEM, PKCS #8. */
  readonly key: string;
  /** OCSP response, DER; null without one. */
  readonly staple: Buffer | null;
}

/**
 * A new authority and a leaf for `hosts`. The private keys are never written to disk.
 * @param kind of all keys
 * @param sent how many certificates a server sends: the leaf alone, with the authority, or with one in between too
 * @param stapled with an OCSP response, which takes an RSA key and no certificate in between
 */
export async function createServerCertificate(
  hosts: readonly string[],
  now: number,
  kind: KeyKind = 'p-256',
  sent: 1 | 2 | 3 = 2,
  stapled = false,
): Promise<ServerCertificate> {
  const newKeys = () =>
    crypto.subtle.generateKey(KEYS[kind], true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
  const [authorityKeys, leafKeys] = await Promise.all([newKeys(), newKeys()]);
  const middleKeys = sent === 3 ? await newKeys() : null;
  const authorityName = 'CN=Lastbyte test authority';
  const middleName = 'CN=Lastbyte test intermediate';
  const shared = {
    issuer: authorityName,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: KEYS[kind],
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now + LIFETIME_MS),
  };
  const signer = async (serialNumber: string, subject: string, { publicKey }: webcrypto.CryptoKeyPair) =>
    x509.X509CertificateGenerator.create({
      ...shared,
      serialNumber,
      subject,
      publicKey,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(publicKey),
        await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
      ],
    });
  const authority = await signer('01', authorityName, authorityKeys);
  const middle = middleKeys && (await signer('03', middleName, middleKeys));
  const leaf = await x509.X509CertificateGenerator.create({
    ...shared,
    ...(middleKeys && { issuer: middleName, signingKey: middleKeys.privateKey }),
    serialNumber: '02',
    subject: `CN=${hosts[0]}`,
    publicKey: leafKeys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns' as const, value }))),
      await x509.AuthorityKeyIdentifierExtension.create((middleKeys ?? authorityKeys).publicKey),
    ],
  });
  const sign = (data: ArrayBuffer) => crypto.subtle.sign(KEYS[kind], authorityKeys.privateKey, data);
  const privateKey = await crypto.subtle.exportKey('pkcs8', leafKeys.privateKey);
  return {
    authority: pemOf(authority),
    chain: pemOf(leaf) + (middle ? pemOf(middle) : '') + (sent === 1 ? '' : pemOf(authority)),
    key: `${x509.PemConverter.encode(privateKey, 'PRIVATE KEY')}\n`,
    staple: stapled ? await ocspStaple(leaf, authority, new Date(now), sign) : null,
  };
}

function pemOf(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
