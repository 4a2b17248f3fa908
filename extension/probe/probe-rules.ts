import { networkAccess } from '../network-access.ts';
import { platform } from '../platform.ts';

/** Server owners find probes by it: see docs/probes.md. */
const MARK_HEADER = 'X-Lastbyte-Probe';

/** Of session rules, which end with the browser; nothing else of the extension uses numbers this high. */
const IDS = { mark: 900_001, close: 900_002, frame: 900_003 } as const;
/** Requests of the background and of offscreen documents belong to no tab. */
const NO_TAB = -1;

type Rule = Parameters<typeof platform.declarativeNetRequest.updateSessionRules>[0] extends { addRules?: (infer R)[] }
  ? R
  : never;

type RuleName = keyof typeof IDS;

/** Puts a rule in force for the extension's own requests to these hosts, and for nobody else's. */
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

/** Without the permission there never was one. */
export async function removeProbeRules(...names: readonly RuleName[]): Promise<void> {
  if ((await networkAccess()) !== 'there') return;
  const removeRuleIds = (names.length === 0 ? (Object.keys(IDS) as RuleName[]) : names).map((name) => IDS[name]);
  await platform.declarativeNetRequest.updateSessionRules({ removeRuleIds });
}

type Headers = Pick<Rule['action'], 'requestHeaders' | 'responseHeaders'>;

const HEADERS: Readonly<Record<RuleName, (probe: string) => Headers>> = {
  mark: (probe) => ({
    requestHeaders: [{ header: MARK_HEADER, operation: 'set', value: probe }],
    // So that Firefox tells protocol and Server-Timing, and Chromium the times of a frame.
    responseHeaders: [{ header: 'Timing-Allow-Origin', operation: 'set', value: '*' }],
  }),
  close: () => ({ requestHeaders: [{ header: 'Connection', operation: 'set', value: 'close' }] }),
  frame: () => ({
    responseHeaders: [
      { header: 'X-Frame-Options', operation: 'remove' },
      // In place of the server's own, which may forbid the frame: nothing that the answer names is asked for.
      { header: 'Content-Security-Policy', operation: 'set', value: "default-src 'none'" },
      // A download would leave no entry.
      { header: 'Content-Disposition', operation: 'remove' },
      { header: 'Content-Type', operation: 'set', value: 'text/html' },
    ],
  }),
};
