import 'reflect-metadata'; // @peculiar/x509 needs it, and needs it first
import type { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** Long enough for any run. */
const LIFETIME_MS = 30 * 24 * 3600 * 1000;
/** Certificates have whole seconds, and the browser may read its clock before we read ours. */
const BACKDATED_MS = 3600 * 1000;

const KEYS = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface ServerCertificate {
  /** The authority, to be trusted in a temporary profile only. PEM. */
  readonly authority: string;
  /** Leaf, then authority: Chromium compares its trusted keys with the certificates the server sends. PEM. */
  readonly chain: string;
  /** PEM, PKCS #8. */
  readonly key: string;
}

/** A new authority and a leaf for `hosts`. The private keys are never written to disk. */
export async function createServerCertificate(hosts: readonly string[], now: number): Promise<ServerCertificate> {
  const [authorityKeys, leafKeys] = await Promise.all([newKeys(), newKeys()]);
  const authorityName = 'CN=Lastbyte test authority';
  const shared = {
    issuer: authorityName,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: KEYS,
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now + LIFETIME_MS),
  };
  const authority = await x509.X509CertificateGenerator.create({
    ...shared,
    serialNumber: '01',
    subject: authorityName,
    publicKey: authorityKeys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const leaf = await x509.X509CertificateGenerator.create({
    ...shared,
    serialNumber: '02',
    subject: `CN=${hosts[0]}`,
    publicKey: leafKeys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns' as const, value }))),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const privateKey = await crypto.subtle.exportKey('pkcs8', leafKeys.privateKey);
  return {
    authority: pemOf(authority),
    chain: pemOf(leaf) + pemOf(authority),
    key: `${x509.PemConverter.encode(privateKey, 'PRIVATE KEY')}\n`,
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(KEYS, true, ['sign', 'verify']);
}

function pemOf(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
