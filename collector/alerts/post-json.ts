import { type LookupAddress, lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** From the first byte out to the head of the answer, ms. */
const TIMEOUT_MS = 10_000;

/**
 * Where a cloud's machines tell their credentials to whoever asks from inside, and addresses of nobody. Private networks are
 * allowed: that is where webhooks of an organisation live.
 */
const REFUSED = new BlockList();
REFUSED.addSubnet('169.254.0.0', 16, 'ipv4');
REFUSED.addSubnet('fe80::', 10, 'ipv6');
REFUSED.addAddress('fd00:ec2::254', 'ipv6');
REFUSED.addSubnet('0.0.0.0', 8, 'ipv4');
REFUSED.addAddress('::', 'ipv6');
REFUSED.addSubnet('224.0.0.0', 4, 'ipv4');
REFUSED.addSubnet('ff00::', 8, 'ipv6');

export class AddressRefused extends Error {}

export interface PostedJson {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Posts JSON and gives the status. Redirects are not followed and the answer is not read: whoever may write the settings can
 * make the collector send, and learns no more than that. Throws what the network throws, or AddressRefused.
 */
export function postJson({ body, headers, ...rest }: PostedJson): Promise<number> {
  return postBytes({
    ...rest,
    headers: { ...headers, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  });
}

export interface PostedBytes extends Omit<PostedJson, 'body'> {
  readonly body: Buffer;
}

/** The same with any body, whose type is one of the headers. */
export function postBytes({ url, headers, body, signal }: PostedBytes): Promise<number> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    if (isIP(host) !== 0 && isRefused(host)) return reject(refusal(host));
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const request = send(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': body.byteLength },
        lookup: checkedLookup,
        // No connection outlives its message.
        agent: false,
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** The address that is connected to is the one that was checked. */
const checkedLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses: readonly LookupAddress[]) => {
    if (error) return done(error, '', 0);
    const allowed = addresses.filter(({ address }) => !isRefused(address));
    const [first] = allowed;
    if (first === undefined) return done(refusal(host), '', 0);
    if (options.all === true) done(null, allowed as LookupAddress[]);
    else done(null, first.address, first.family);
  });
};

function isRefused(address: string): boolean {
  // ::ffff:169.254.169.254 is matched by BlockList as its IPv4 address.
  return REFUSED.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function refusal(host: string): AddressRefused {
  return new AddressRefused(`${host} is a link-local, multicast or unspecified address`);
}
