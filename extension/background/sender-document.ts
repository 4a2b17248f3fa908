import { shortenUrl } from '../content/entry-values.ts';
import type { EntryGroup } from '../packed-group.ts';
import type { Runtime } from '../platform.ts';

/**
 * The document that a content script's message came from, by the browser's word rather than the message's: a page may have
 * taken over the process. A frame without an address of its own (about:blank, srcdoc, blob:) belongs to the page that filled
 * it and shares its origin.
 */
export function senderDocument(sender: Runtime.MessageSender): Pick<EntryGroup, 'page' | 'origin'> {
  const { url = '' } = sender;
  const { origin = URL.canParse(url) ? new URL(url).origin : 'null' } = sender as { readonly origin?: string };
  return { page: /^https?:/.test(url) ? shortenUrl(url) : `${origin}/`, origin };
}
