/**
 * How Firefox, the only browser that reports TLS facts, spells them. The patterns match few values each, so that the holder
 * of a key cannot invent more; any other value is stored as `(other)`.
 * https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/webRequest/SecurityInfo
 */
export const TLS_VERSION = /^(?:SSLv3|TLSv1(?:\.[123])?)$/;

/** Key exchange, cipher and hash: https://www.iana.org/assignments/tls-parameters/tls-parameters.xhtml#tls-parameters-4 */
export const TLS_CIPHER = new RegExp(
  [
    '^TLS_',
    '(?:(?:NULL|RSA|DH_anon|DHE?_(?:DSS|RSA)|ECDH_(?:ECDSA|RSA|anon)|ECDHE_(?:ECDSA|RSA)|(?:(?:EC)?DHE_|RSA_)?PSK)_WITH_)?',
    '(?:NULL|RC4_128|DES_CBC|3DES_EDE_CBC|SEED_CBC|(?:AES|CAMELLIA)_(?:128|256)_(?:CBC|GCM|CCM|CCM_8)|CHACHA20_POLY1305)',
    '(?:_(?:MD5|SHA|SHA256|SHA384))?$',
  ].join(''),
);

/** `getKeaGroupName` of https://searchfox.org/mozilla-central/source/security/manager/ssl/nsNSSCallbacks.cpp */
export const TLS_KEY_EXCHANGE =
  /^(?:P256|P384|P521|x25519|x448|FF (?:2048|3072|4096|6144|8192)|mlkem(?:512|768|1024)(?:x25519|x448|secp256r1|secp384r1)?|xyber(?:25519|768d00)|custom|unknown group)$/;
