import { findTarget } from '../../shared/redact/match-pattern.ts';
import { platform } from '../platform.ts';

/** Ids of session rules, which are never on disk; no other rules of the extension have ids this high. */
const FIRST_ID = 900_100;
const MAX_RULES = 50;

type Rules = Parameters<typeof platform.declarativeNetRequest.updateSessionRules>[0];
type Rule = NonNullable<Rules['addRules']>[number];

const ALL_TYPES = [
  ...(['main_frame', 'sub_frame', 'stylesheet', 'script', 'image', 'font', 'object', 'xmlhttprequest'] as const),
  ...(['ping', 'media', 'websocket', 'other'] as const),
];

/**
 * Lets the tab's requests to an origin carry its `Authorization`, such as `Basic cm9ib3Q6…` or `Bearer …`, if the journey's app has
 * that origin.
 */
export async function signIn(
  authorization: Readonly<Record<string, string>>,
  patterns: readonly string[],
  tab: number,
): Promise<void> {
  const match = patterns.map((pattern) => pattern.replace(/^([^/]+:\/\/[^/]+)\/.*$/, '$1/*'));
  const own = Object.entries(authorization).filter(([origin]) => findTarget(`${origin}/`, [{ match }]) !== null);
  const addRules = own.slice(0, MAX_RULES).map(
    ([origin, value], index): Rule => ({
      id: FIRST_ID + index,
      action: { type: 'modifyHeaders', requestHeaders: [{ header: 'Authorization', operation: 'set', value }] },
      condition: { urlFilter: `|${origin}/`, tabIds: [tab], resourceTypes: [...ALL_TYPES] },
    }),
  );
  await signOut();
  if (addRules.length > 0) await platform.declarativeNetRequest.updateSessionRules({ addRules });
}

/** Removes what `signIn` has set. */
export async function signOut(): Promise<void> {
  const removeRuleIds = Array.from({ length: MAX_RULES }, (_, index) => FIRST_ID + index);
  await platform.declarativeNetRequest.updateSessionRules({ removeRuleIds });
}
