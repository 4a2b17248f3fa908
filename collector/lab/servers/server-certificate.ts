import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { bits, context, integer, octets, oid, sequence, set, utcTime, utf8, yes } from './der.ts';

/** Certificates outlive any run a little. */
const LIFETIME_MS = 30 * 24 * 3600 * 1000;
/** Certificates count whole seconds, and the browser's clock may be read before ours. */
const BACKDATED_MS = 3600 * 1000;

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const VERSION_3 = context(0, integer(2), true);

export interface ServerCertificate {
  /** The authority, to be trusted in a temporary profile only. PEM. */
  readonly authority: string;
  /** Leaf, then authority: Chromium compares the keys it was told to trust with what the server sends. PEM. */
  readonly chain: string;
  /** PEM, PKCS #8. */
  readonly key: string;
}

/**
 * An authority and a leaf for `hosts`, made anew for each run; the keys are never written anywhere.
 * https://datatracker.ietf.org/doc/html/rfc5280#section-4.1
 */
export function createServerCertificate(hosts: readonly string[], now: number): ServerCertificate {
  const authorityKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const leafKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authorityName = commonName('Lastbyte test authority');
  const shared = { issuer: authorityName, signer: authorityKeys.privateKey, now };
  const authority = certificate({
    ...shared,
    serial: 1,
    subject: authorityName,
    publicKey: authorityKeys.publicKey,
    extensions: [BASIC_CONSTRAINTS_AUTHORITY, KEY_USAGE_AUTHORITY, subjectKeyId(authorityKeys.publicKey)],
  });
  const leaf = certificate({
    ...shared,
    serial: 2,
    subject: commonName(hosts[0] ?? ''),
    publicKey: leafKeys.publicKey,
    extensions: [
      BASIC_CONSTRAINTS_LEAF,
      KEY_USAGE_LEAF,
      SERVER_AUTHENTICATION,
      alternativeNames(hosts),
      authorityKeyId(authorityKeys.publicKey),
    ],
  });
  return {
    authority: pem(authority),
    chain: pem(leaf) + pem(authority),
    key: leafKeys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const BASIC_CONSTRAINTS_AUTHORITY = extension('2.5.29.19', true, sequence(yes()));
const BASIC_CONSTRAINTS_LEAF = extension('2.5.29.19', true, sequence());
/** keyCertSign and cRLSign. */
const KEY_USAGE_AUTHORITY = extension('2.5.29.15', true, bits(Buffer.from([0b0000_0110]), 1));
/** digitalSignature. */
const KEY_USAGE_LEAF = extension('2.5.29.15', true, bits(Buffer.from([0b1000_0000]), 7));
const SERVER_AUTHENTICATION = extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1')));

function alternativeNames(hosts: readonly string[]): Buffer {
  return extension('2.5.29.17', false, sequence(...hosts.map((host) => context(2, Buffer.from(host), false))));
}

function subjectKeyId(key: KeyObject): Buffer {
  return extension('2.5.29.14', false, octets(keyId(key)));
}

function authorityKeyId(key: KeyObject): Buffer {
  return extension('2.5.29.35', false, sequence(context(0, keyId(key), false)));
}

/** Only has to be the same in both certificates. */
function keyId(key: KeyObject): Buffer {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(critical ? [yes()] : []), octets(value));
}

function commonName(text: string): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), utf8(text))));
}

interface CertificateParts {
  readonly serial: number;
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly now: number;
}

function certificate(parts: CertificateParts): Buffer {
  const body = sequence(
    VERSION_3,
    integer(parts.serial),
    ECDSA_WITH_SHA256,
    parts.issuer,
    sequence(utcTime(parts.now - BACKDATED_MS), utcTime(parts.now + LIFETIME_MS)),
    parts.subject,
    parts.publicKey.export({ type: 'spki', format: 'der' }),
    context(3, sequence(...parts.extensions), true),
  );
  return sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, parts.signer)));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
