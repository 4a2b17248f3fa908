import type { PolicyBrowser, PolicyFormat } from './roll-out.ts';

export interface Place {
  readonly system: 'Linux' | 'Windows' | 'macOS';
  readonly place: string;
}

/** Where browsers on Linux read managed policies: https://www.chromium.org/administrators/linux-quick-start/ */
const LINUX: Readonly<Record<PolicyBrowser, string>> = {
  chrome: '/etc/opt/chrome/policies/managed/lastbyte.json',
  edge: '/etc/opt/edge/policies/managed/lastbyte.json',
  chromium: '/etc/chromium/policies/managed/lastbyte.json',
  firefox: '/etc/firefox/policies/policies.json',
};

/** Where an administrator puts a policy of this form. */
export function placesOf(browser: PolicyBrowser, format: PolicyFormat): readonly Place[] {
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
