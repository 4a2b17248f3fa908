import { chromiumPolicy, firefoxPolicy } from './browser-policy.ts';
import { intunePolicy } from './intune-policy.ts';
import { plistPolicy } from './plist-policy.ts';
import { regPolicy } from './reg-policy.ts';
import type { PolicyBrowser, PolicyFormat, RollOut } from './roll-out.ts';

const WRITERS: Readonly<Record<PolicyFormat, (browser: PolicyBrowser, rollOut: RollOut) => string>> = {
  json: jsonPolicy,
  reg: regPolicy,
  plist: plistPolicy,
  intune: intunePolicy,
};

/** The complete document, with a final newline. Throws UsageFailure for a format that the vendor does not support. */
export function policyText(browser: PolicyBrowser, format: PolicyFormat, rollOut: RollOut): string {
  return WRITERS[format](browser, rollOut);
}

/** A file for the folder of managed policies, or Firefox's policies.json. */
function jsonPolicy(browser: PolicyBrowser, rollOut: RollOut): string {
  const document = browser === 'firefox' ? { policies: firefoxPolicy(rollOut) } : chromiumPolicy(rollOut);
  return `${JSON.stringify(document, null, 2)}\n`;
}

export interface Place {
  readonly system: 'Linux' | 'Windows' | 'macOS';
  readonly place: string;
}

/** Managed policies of browsers on Linux: https://www.chromium.org/administrators/linux-quick-start/ */
const LINUX: Readonly<Record<PolicyBrowser, string>> = {
  chrome: '/etc/opt/chrome/policies/managed/lastbyte.json',
  edge: '/etc/opt/edge/policies/managed/lastbyte.json',
  chromium: '/etc/chromium/policies/managed/lastbyte.json',
  firefox: '/etc/firefox/policies/policies.json',
};

/** Where an administrator puts a policy of this format. */
export function policyPlaces(browser: PolicyBrowser, format: PolicyFormat): readonly Place[] {
  switch (format) {
    case 'json':
      return browser === 'firefox'
        ? [
            { system: 'Linux', place: LINUX.firefox },
            { system: 'Windows', place: 'C:\\Program Files\\Mozilla Firefox\\distribution\\policies.json' },
            { system: 'macOS', place: '/Applications/Firefox.app/Contents/Resources/distribution/policies.json' },
          ]
        : [{ system: 'Linux', place: LINUX[browser] }];
    case 'reg':
      return [{ system: 'Windows', place: 'reg import FILE as administrator, or group policy preferences' }];
    case 'plist':
      return [{ system: 'macOS', place: 'a .mobileconfig for your device management' }];
    case 'intune':
      return [{ system: 'Windows', place: 'Intune, devices, configuration, a custom profile: a row each' }];
  }
}
