import { createHash } from 'node:crypto';
import * as ocsp from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import type * as x509 from '@peculiar/x509';

const LIFETIME_MS = 24 * 3600 * 1000;
const SHA1 = '1.3.14.3.2.26';
const SHA256_WITH_RSA = '1.2.840.113549.1.1.11';

/**
 * Says of a leaf that it is good, as its authority signs it (RFC 6960, section 4.2).
 * @param sign with the authority's RSA key and SHA-256
 */
export async function ocspStaple(
  leaf: x509.X509Certificate,
  authority: x509.X509Certificate,
  now: Date,
  sign: (data: ArrayBuffer) => Promise<ArrayBuffer>,
): Promise<Buffer> {
  const { subjectPublicKey } = AsnConvert.parse(authority.publicKey.rawData, SubjectPublicKeyInfo);
  const issuerKeyHash = sha1(subjectPublicKey);
  const tbsResponseData = new ocsp.ResponseData({
    responderID: new ocsp.ResponderID({ byKey: new ocsp.KeyHash(issuerKeyHash) }),
    producedAt: now,
    responses: [
      new ocsp.SingleResponse({
        certID: new ocsp.CertID({
          hashAlgorithm: new AlgorithmIdentifier({ algorithm: SHA1, parameters: null }),
          issuerNameHash: new OctetString(sha1(authority.subjectName.toArrayBuffer())),
          issuerKeyHash: new OctetString(issuerKeyHash),
          serialNumber: Uint8Array.from(Buffer.from(leaf.serialNumber, 'hex')).buffer,
        }),
        certStatus: new ocsp.CertStatus({ good: null }),
        thisUpdate: now,
        nextUpdate: new Date(now.getTime() + LIFETIME_MS),
      }),
    ],
  });
  const basic = new ocsp.BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: SHA256_WITH_RSA, parameters: null }),
    signature: await sign(AsnConvert.serialize(tbsResponseData)),
  });
  const response = new ocsp.OCSPResponse({
    responseStatus: ocsp.OCSPResponseStatus.successful,
    responseBytes: new ocsp.ResponseBytes({
      responseType: ocsp.id_pkix_ocsp_basic,
      response: new OctetString(AsnConvert.serialize(basic)),
    }),
  });
  return Buffer.from(AsnConvert.serialize(response));
}

function sha1(data: ArrayBuffer): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha1').update(new Uint8Array(data)).digest());
}
