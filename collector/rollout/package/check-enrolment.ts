import { isSiteLabel, MAX_SITE_LENGTH } from '../../../shared/vocabulary/client-fields.ts';
import { UsageFailure } from '../../lib/failure.ts';

export const KEY_VARIABLE = 'LASTBYTE_INGEST_KEY';
const PEOPLES_TOKEN = /^lb_(read|admin)_/;

/** What every browser gets to hold. Throws UsageFailure for a token that is not theirs. */
export function ingestKey(text: string): string {
  const key = text.trim();
  if (key === '') {
    throw new UsageFailure(
      'the key is empty',
      `Make one with lastbyte token create --role ingest; set ${KEY_VARIABLE}.`,
    );
  }
  const [, role] = PEOPLES_TOKEN.exec(key) ?? [];
  if (role !== undefined) {
    throw new UsageFailure(
      `this is a token of the role ${role}, and every user could read it`,
      'Browsers get a key that can only send: lastbyte token create --role ingest',
    );
  }
  if (/[^\x21-\x7e]/.test(key))
    throw new UsageFailure('the key holds a blank or a letter beyond ASCII', 'Copy it whole.');
  return key;
}

/** Throws UsageFailure for one with which the collector would refuse every batch. */
export function siteLabel(text: string): string {
  if (text.length > MAX_SITE_LENGTH) {
    throw new UsageFailure(`the site label is longer than ${MAX_SITE_LENGTH} characters`, 'Give a shorter --site.');
  }
  if (!isSiteLabel(text) || /\p{Cc}/u.test(text))
    throw new UsageFailure('the site label holds a line break or the like', 'Give a plain --site.');
  return text;
}
