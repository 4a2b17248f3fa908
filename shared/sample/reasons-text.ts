import { TIME_NAMES, type TimeName } from '../vocabulary/time-names.ts';
import type { UnknownReason } from '../vocabulary/vocabulary.ts';
import type { Sample } from './sample.ts';

/**
 * Why times of one sample are null, as one word for a dictionary: `dns=firefox_dns tls=plain_http`. Times stand in
 * their own order, so that the same reasons are always the same text. Empty where there are none.
 */
export function reasonsText(unknown: Sample['unknown']): string {
  let text = '';
  for (const name of TIME_NAMES) {
    const reason = unknown[name];
    if (reason !== undefined) text += text === '' ? `${name}=${reason}` : ` ${name}=${reason}`;
  }
  return text;
}

/** The reverse, for texts that `reasonsText` made. */
export function parseReasons(text: string): Sample['unknown'] {
  const unknown: Partial<Record<TimeName, UnknownReason>> = {};
  for (const part of text.split(' ')) {
    const cut = part.indexOf('=');
    if (cut > 0) unknown[part.slice(0, cut) as TimeName] = part.slice(cut + 1) as UnknownReason;
  }
  return unknown;
}
