import { PACKAGE_FILES, type PackagesRecord } from '../package/packages-record.ts';

export const POLICY_BROWSERS = ['chrome', 'edge', 'chromium', 'firefox'] as const;
export type PolicyBrowser = (typeof POLICY_BROWSERS)[number];
export const POLICY_FORMATS = ['json', 'reg', 'plist', 'intune'] as const;
export type PolicyFormat = (typeof POLICY_FORMATS)[number];

/** The contents of a policy, independent of browser and format. */
export interface RollOut {
  readonly extensionId: string;
  /** Chromium: the update manifest. Firefox: the xpi itself. */
  readonly installFrom: string;
  /** Keyed as in extension/managed-schema.json. */
  readonly managed: ManagedSettings;
  /** Firefox ESR accepts packages without Mozilla's signature, from any publisher. */
  readonly allowUnsigned: boolean;
}

export type ManagedSettings = Readonly<Record<string, string | boolean | number>>;

interface Vendor {
  /** Below HKEY_LOCAL_MACHINE. */
  readonly registry: string;
  /** Preference domain on macOS. */
  readonly domain: string;
  readonly name: string;
}

/** https://chromeenterprise.google/policies/ · https://learn.microsoft.com/deployedge/microsoft-edge-policies */
export const VENDORS: Readonly<Record<PolicyBrowser, Vendor>> = {
  chrome: { registry: 'Software\\Policies\\Google\\Chrome', domain: 'com.google.Chrome', name: 'Chrome' },
  edge: { registry: 'Software\\Policies\\Microsoft\\Edge', domain: 'com.microsoft.Edge', name: 'Edge' },
  chromium: { registry: 'Software\\Policies\\Chromium', domain: 'org.chromium.Chromium', name: 'Chromium' },
  firefox: { registry: 'Software\\Policies\\Mozilla\\Firefox', domain: 'org.mozilla.firefox', name: 'Firefox' },
};

/** Installs the packages from the collector that offers them. */
export function ownSource(
  browser: PolicyBrowser,
  record: PackagesRecord,
  collector: string,
): Pick<RollOut, 'extensionId' | 'installFrom'> {
  return browser === 'firefox'
    ? { extensionId: record.firefoxId, installFrom: `${collector}/install/${PACKAGE_FILES.xpi}` }
    : { extensionId: record.chromiumId, installFrom: `${collector}/install/update.xml` };
}
