import { chromiumPolicy, firefoxPolicy } from './browser-policy.ts';
import type { PolicyBrowser, RollOut } from './roll-out.ts';

/** A file of the folder of managed policies, or Firefox's policies.json. */
export function jsonPolicy(browser: PolicyBrowser, rollOut: RollOut): string {
  const document = browser === 'firefox' ? { policies: firefoxPolicy(rollOut) } : chromiumPolicy(rollOut);
  return `${JSON.stringify(document, null, 2)}\n`;
}
