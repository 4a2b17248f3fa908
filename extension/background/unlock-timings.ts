import type { Target } from '../../shared/settings/settings-schema.ts';
import { unlockRules } from '../../shared/settings/unlock-rules.ts';
import { networkAccess } from '../network-access.ts';
import { platform } from '../platform.ts';

/** Rules of probes have numbers above this and are none of ours: probe/probe-rules.ts. */
const MAX_ID = 900_000;

/**
 * Opt-in per target: answers of the hosts it names allow its pages to see their times. The page's own scripts see them
 * too, which is why nobody gets this without asking. Rules of the session, so that they go with the extension and the
 * browser; both start with a registration, which sets them again.
 */
export async function unlockTimings(targets: readonly Pick<Target, 'match' | 'unlockTimings'>[]): Promise<void> {
  if ((await networkAccess()) !== 'there') return; // shown as missing: capture-registration.ts
  const { declarativeNetRequest } = platform;
  const wanted = unlockRules(targets).map(({ requestDomains, initiatorDomains, value }, index) => ({
    id: index + 1,
    action: {
      type: 'modifyHeaders' as const,
      responseHeaders: [{ header: 'Timing-Allow-Origin', operation: 'set' as const, value }],
    },
    condition: {
      requestDomains: [...requestDomains],
      initiatorDomains: [...initiatorDomains],
      resourceTypes: [...RESOURCES],
    },
  }));
  const inForce = (await declarativeNetRequest.getSessionRules()).filter(({ id }) => id < MAX_ID);
  const inWords = (rules: readonly (typeof wanted)[number][]) =>
    rules.map(({ id, action, condition }) =>
      [id, action.responseHeaders[0]?.value, condition.requestDomains, condition.initiatorDomains].join(' '),
    );
  if (inWords(inForce as typeof wanted).join('\n') === inWords(wanted).join('\n')) return;
  await declarativeNetRequest.updateSessionRules({
    removeRuleIds: inForce.map(({ id }) => id),
    addRules: wanted,
  });
}

/** Everything a page loads from another host; documents of its own are not third parties. */
const RESOURCES = [
  'sub_frame',
  'stylesheet',
  'script',
  'image',
  'font',
  'object',
  'xmlhttprequest',
  'media',
  'other',
] as const;
