import type { Webhook } from '../../../shared/settings/alert-settings.ts';
import type { MailSettings } from '../../../shared/settings/report-settings.ts';
import { DeliveryFailed } from '../../outgoing/delivery-failed.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { OutgoingFailure } from '../../outgoing/outgoing-failure.ts';
import { postBytes } from '../../outgoing/post-bytes.ts';
import { sendMail } from '../../outgoing/send-mail.ts';
import type { AlertMessage, Delivery } from './alert-memory.ts';
import { alertWords } from './alert-words.ts';

/** Delay after the first failure, doubled with each further one, ms. */
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;
/** Age (ms) beyond which a message is of no use. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

export interface Attempt {
  readonly delivered: boolean;
  /** HTTP status; null without a response, and for mail. */
  readonly status: number | null;
  /** For people; null if delivered. */
  readonly error: string | null;
}

/** Sends one message to one webhook. Never throws. */
export async function attempt(
  webhook: Webhook,
  message: AlertMessage,
  {
    outgoing,
    id,
    version,
    signal,
  }: { readonly outgoing: Outgoing; readonly id: string; readonly version: string; readonly signal?: AbortSignal },
): Promise<Attempt> {
  try {
    const url = new URL(webhook.url ?? (await outgoing.secret(webhook.urlFrom ?? {})));
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return failed('the address is neither http nor https');
    const bearer = webhook.bearerFrom === undefined ? null : await outgoing.secret(webhook.bearerFrom);
    const headers = {
      'content-type': 'application/json',
      'user-agent': `lastbyte/${version}`,
      // The same for every attempt, so that receivers can detect duplicates.
      'x-lastbyte-delivery': id,
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    };
    const body = Buffer.from(JSON.stringify(message));
    const status = await postBytes(outgoing.guard, { url, headers, body, ...(signal && { signal }) });
    if (status >= 200 && status < 300) return { delivered: true, status, error: null };
    const why = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'not accepted';
    return { delivered: false, status, error: `answered ${status}: ${why}` };
  } catch (error) {
    return failed(reasonOf(error));
  }
}

/** Sends one message to the recipients of a rule. Never throws. */
export async function attemptMail(
  {
    mail,
    to,
    lang,
  }: { readonly mail: MailSettings; readonly to: readonly string[]; readonly lang?: 'en' | 'de' | undefined },
  message: AlertMessage,
  {
    outgoing,
    id,
    now,
    signal = new AbortController().signal,
  }: { readonly outgoing: Outgoing; readonly id: string; readonly now: number; readonly signal?: AbortSignal },
): Promise<Attempt> {
  try {
    const messageId = `<${id}@${mail.from.split('@')[1] ?? 'lastbyte'}>`;
    await sendMail({ outgoing, signal }, mail, { ...alertMail(message, lang), to, messageId, date: now });
    return { delivered: true, status: null, error: null };
  } catch (error) {
    return failed(error instanceof DeliveryFailed ? error.message : reasonOf(error));
  }
}

/** A time further ahead than the longest wait was set by a clock that was ahead, so it counts as due. */
export function isDue(nextAt: number, now: number): boolean {
  return nextAt <= now || nextAt > now + LONGEST_WAIT_MS;
}

/** The delivery after a failed attempt; null gives up. */
export function afterFailure(delivery: Delivery, error: string, now: number): Delivery | null {
  if (now - delivery.since >= GIVE_UP_AFTER_MS) return null;
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** delivery.attempts);
  return { ...delivery, attempts: delivery.attempts + 1, nextAt: now + wait, error };
}

function failed(error: string): Attempt {
  return { delivered: false, status: null, error };
}

/** Never contains the address, which may be a secret. */
function reasonOf(error: unknown): string {
  if (error instanceof OutgoingFailure) return error.text;
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no response in time';
  return 'code' in error && typeof error.code === 'string' ? error.code : 'the address cannot be used';
}

/** A message as mail, as plain text and as HTML that says the same. */
interface AlertLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

function alertMail({ subject, text: said, link }: AlertMessage, language: 'en' | 'de' = 'en'): AlertLetter {
  const words = alertWords(language);
  // It has a line of its own here.
  const text = link != null && said.endsWith(` ${link}`) ? said.slice(0, -link.length - 1) : said;
  const after = link == null ? words.noLink : `${words.open}: ${link}`;
  const anchor = link == null ? escaped(words.noLink) : `<a href="${escaped(link)}">${escaped(words.open)}</a>`;
  return {
    subject: subject ?? text,
    text: `${text}\n\n${after}\n`,
    html: `<!doctype html><html lang="${language}"><body><p>${escaped(text)}</p><p>${anchor}</p></body></html>`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Hosts and sites come from other people's pages. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
