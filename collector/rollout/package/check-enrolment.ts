import { MAX_HOST_LENGTH } from '../../../shared/redact/host-name.ts';
import { MAX_SITE_LENGTH } from '../../../shared/vocabulary/client-fields.ts';
import { isPlainText, UNSEEN_FAULT, UNSEEN_HINT } from '../../../shared/vocabulary/plain-text.ts';
import { UsageFailure } from '../../lib/failure.ts';

export const KEY_VARIABLE = 'LASTBYTE_INGEST_KEY';
const TOKEN = /^lb_(read|admin|ingest)_/;

/** Checks the key that every browser will hold. Throws UsageFailure for a token that is not an ingest key. */
export function ingestKey(text: string): string {
  const key = text.trim();
  if (key === '') {
    throw new UsageFailure(
      'the key is empty',
      `Create one with lastbyte token create --role ingest, and set ${KEY_VARIABLE}.`,
    );
  }
  const [, role] = TOKEN.exec(key) ?? [];
  if (role === undefined) {
    throw new UsageFailure('this is no ingest key: it does not begin with lb_ingest_', 'Copy it completely.');
  }
  if (role !== 'ingest') {
    throw new UsageFailure(
      `this token has the role ${role}, and every user could read it`,
      'Browsers need a key that can only send: lastbyte token create --role ingest',
    );
  }
  if (/[^\x21-\x7e]/.test(key))
    throw new UsageFailure('the key contains a space or a character outside ASCII', 'Copy it completely.');
  return key;
}

/** Throws UsageFailure for a label with which the collector would refuse every batch. */
export function siteLabel(text: string): string {
  if (text.length > MAX_SITE_LENGTH) {
    throw new UsageFailure(`the site label is longer than ${MAX_SITE_LENGTH} characters`, 'Give a shorter --site.');
  }
  if (!isPlainText(text)) throw new UsageFailure(`the site label ${UNSEEN_FAULT}`, UNSEEN_HINT);
  return text;
}

/** @param host as a URL has it, where every spelling of 127.0.0.0/8 is dotted */
export function isLoopbackHost(host: string): boolean {
  return /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}

export interface HttpOption {
  readonly allowHttp?: boolean;
}

export const HTTP_OPTION = [
  '--allow-http',
  'the address may be http:// beyond this machine: keys and measurements can then be read and changed on the way',
] as const;

/** Origin and path prefix without a trailing slash. Throws UsageFailure. */
export function collectorAddress(text: string, { allowHttp = false }: HttpOption): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname.length > MAX_HOST_LENGTH) {
    throw new UsageFailure(`${text} is not an address`, 'Give it as https://host or https://host:port.');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageFailure(`${text} has more than host and path`, 'Give it as https://host or https://host:port.');
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopbackHost(url.hostname)) {
    throw new UsageFailure(
      `${url.origin} is not encrypted: anyone on the network path could read the key, and replace the extension`,
      'Give an https address, or accept that: --allow-http, or over HTTP allowHttp.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
