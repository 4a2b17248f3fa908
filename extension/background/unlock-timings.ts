import type { Target } from '../../shared/settings/settings-schema.ts';
import { unlockRules } from '../../shared/settings/unlock-rules.ts';
import { networkAccess } from '../network-access.ts';
import { platform } from '../platform.ts';

/** Rule ids from here on belong to probes: probe/probe-rules.ts. */
const MAX_ID = 900_000;

/**
 * Opt-in per target: adds Timing-Allow-Origin to the responses of the hosts it names, so that its pages see their
 * timings. The page's own scripts see them too, which is why this is never on by default. Session rules end with the
 * extension and the browser; each start registers capture, which sets them again.
 */
export async function unlockTimings(targets: readonly Pick<Target, 'match' | 'unlockTimings'>[]): Promise<void> {
  if ((await networkAccess()) !== 'there') return; // reported as missing by capture-registration.ts
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

/** Everything a page loads from another host; its own documents are not third-party. */
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
