import { networkAccess } from '../network-access.ts';
import { platform } from '../platform.ts';

/** Lets server owners recognise probes: docs/probes.md. */
const MARK_HEADER = 'X-Lastbyte-Probe';

/** Ids of session rules, which end with the browser; no other rules of the extension have ids this high. */
const IDS = { mark: 900_001, close: 900_002, frame: 900_003 } as const;
/** Requests of the background and of offscreen documents belong to no tab. */
const NO_TAB = -1;

type Rule = Parameters<typeof platform.declarativeNetRequest.updateSessionRules>[0] extends { addRules?: (infer R)[] }
  ? R
  : never;

type RuleName = keyof typeof IDS;

/** Activates a rule for the extension's own requests to these hosts, and for no others. */
export async function addProbeRule(name: RuleName, hosts: readonly string[], probe: string): Promise<void> {
  await platform.declarativeNetRequest.updateSessionRules({
    removeRuleIds: [IDS[name]],
    addRules: [
      {
        id: IDS[name],
        action: { type: 'modifyHeaders', ...HEADERS[name](probe) },
        condition: {
          requestDomains: [...hosts],
          initiatorDomains: [new URL(platform.runtime.getURL('')).hostname],
          tabIds: [NO_TAB],
          resourceTypes: name === 'frame' ? ['sub_frame'] : ['xmlhttprequest', 'sub_frame', 'other'],
        },
      },
    ],
  });
}

/** Without the permission there can be no rule. */
export async function removeProbeRules(...names: readonly RuleName[]): Promise<void> {
  if ((await networkAccess()) !== 'there') return;
  const removeRuleIds = (names.length === 0 ? (Object.keys(IDS) as RuleName[]) : names).map((name) => IDS[name]);
  await platform.declarativeNetRequest.updateSessionRules({ removeRuleIds });
}

type Headers = Pick<Rule['action'], 'requestHeaders' | 'responseHeaders'>;

const HEADERS: Readonly<Record<RuleName, (probe: string) => Headers>> = {
  mark: (probe) => ({
    requestHeaders: [{ header: MARK_HEADER, operation: 'set', value: probe }],
    // So that Firefox reports protocol and Server-Timing, and Chromium a frame's timings.
    responseHeaders: [{ header: 'Timing-Allow-Origin', operation: 'set', value: '*' }],
  }),
  close: () => ({ requestHeaders: [{ header: 'Connection', operation: 'set', value: 'close' }] }),
  frame: () => ({
    responseHeaders: [
      { header: 'X-Frame-Options', operation: 'remove' },
      // Replaces the server's own, which may forbid framing; nothing the response refers to is loaded.
      { header: 'Content-Security-Policy', operation: 'set', value: "default-src 'none'" },
      // A download would leave no entry.
      { header: 'Content-Disposition', operation: 'remove' },
      { header: 'Content-Type', operation: 'set', value: 'text/html' },
    ],
  }),
};
