import { UsageFailure } from '../../lib/failure.ts';
import { escapeXml } from '../package/escape-xml.ts';
import { extensionSettings, UNSIGNED_PREFERENCES } from './browser-policy.ts';
import { enrolmentTemplate } from './enrolment-template.ts';
import { type ManagedSettings, type PolicyBrowser, type RollOut, VENDORS } from './roll-out.ts';

interface OmaSetting {
  readonly '@odata.type': '#microsoft.graph.omaSettingString';
  readonly displayName: string;
  readonly omaUri: string;
  readonly value: string;
}

const CONFIG = './Device/Vendor/MSFT/Policy/Config';
const INGEST = './Device/Vendor/MSFT/Policy/ConfigOperations/ADMXInstall';
/** Separates number and text of a list item. */
const SEPARATOR = '&#xF000;';
/** Locations of the lists in the vendors' own templates, once these are ingested under this name. */
const FORCELISTS = {
  chrome: `${CONFIG}/Chrome~Policy~googlechrome~Extensions/ExtensionInstallForcelist`,
  edge: `${CONFIG}/Edge~Policy~microsoft_edge~Extensions/ExtensionInstallForcelist`,
};

/**
 * A custom Windows configuration for Intune: rows of OMA-URI and value, in the format of its Graph API. The forced
 * installation uses the vendor's template, which has to be ingested first. No vendor has a template for the extension's own
 * settings, so ours is included.
 * https://learn.microsoft.com/windows/client-management/win32-and-centennial-app-policy-configuration
 */
export function intunePolicy(browser: PolicyBrowser, rollOut: RollOut): string {
  if (browser === 'chromium') {
    throw new UsageFailure('Chromium has no template for Intune', 'Use --format reg, and roll it out as a script.');
  }
  const { name, registry } = VENDORS[browser];
  const policy = `Enrol${name}`;
  const [key, managed]: [string, ManagedSettings] =
    browser === 'firefox'
      ? [`${registry}\\3rdparty\\Extensions`, { [rollOut.extensionId]: JSON.stringify(rollOut.managed) }]
      : [`${registry}\\3rdparty\\extensions\\${rollOut.extensionId}\\policy`, rollOut.managed];
  const template = enrolmentTemplate({ policy, key, managed });
  const settings = [
    ...forceInstall(browser, rollOut),
    setting(`Lastbyte template for ${name}`, `${INGEST}/Lastbyte${name}/Policy/Lastbyte${name}Admx`, template.admx),
    setting(
      `Lastbyte settings in ${name}`,
      `${CONFIG}/Lastbyte${name}~Policy~Lastbyte/${policy}`,
      `<enabled/>${template.data}`,
    ),
  ];
  const document = {
    '@odata.type': '#microsoft.graph.windows10CustomConfiguration',
    displayName: `Lastbyte for ${name}`,
    description: 'Installs Lastbyte and enrols it at its collector.',
    omaSettings: settings,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function forceInstall(browser: 'chrome' | 'edge' | 'firefox', rollOut: RollOut): OmaSetting[] {
  if (browser !== 'firefox') {
    const entry = escapeXml(`${rollOut.extensionId};${rollOut.installFrom}`);
    const data = `<data id="ExtensionInstallForcelistDesc" value="1${SEPARATOR}${entry}"/>`;
    return [setting(`Install Lastbyte in ${VENDORS[browser].name}`, FORCELISTS[browser], `<enabled/>${data}`)];
  }
  const rows = [
    setting(
      'Install Lastbyte in Firefox',
      `${CONFIG}/Firefox~Policy~firefox~Extensions/ExtensionSettingsOneLine`,
      `<enabled/><data id="JSONOneLine" value='${singleQuoted(extensionSettings(rollOut))}'/>`,
    ),
  ];
  if (!rollOut.allowUnsigned) return rows;
  const preferences = `<enabled/><data id="JSON" value='${singleQuoted(UNSIGNED_PREFERENCES)}'/>`;
  return [...rows, setting('Unsigned add-ons', `${CONFIG}/Firefox~Policy~firefox/Preferences`, preferences)];
}

function singleQuoted(document: object): string {
  return escapeXml(JSON.stringify(document)).replaceAll('&quot;', '"');
}

function setting(displayName: string, omaUri: string, value: string): OmaSetting {
  return { '@odata.type': '#microsoft.graph.omaSettingString', displayName, omaUri, value };
}
