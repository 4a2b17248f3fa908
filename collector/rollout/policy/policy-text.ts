import { intunePolicy } from './intune-policy.ts';
import { jsonPolicy } from './json-policy.ts';
import { plistPolicy } from './plist-policy.ts';
import { regPolicy } from './reg-policy.ts';
import type { PolicyBrowser, PolicyFormat, RollOut } from './roll-out.ts';

const WRITERS: Readonly<Record<PolicyFormat, (browser: PolicyBrowser, rollOut: RollOut) => string>> = {
  json: jsonPolicy,
  reg: regPolicy,
  plist: plistPolicy,
  intune: intunePolicy,
};

/** The whole document, its last line ended. Throws UsageFailure for what a vendor doesn't offer. */
export function policyText(browser: PolicyBrowser, format: PolicyFormat, rollOut: RollOut): string {
  return WRITERS[format](browser, rollOut);
}
