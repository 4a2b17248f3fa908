import { createHash } from 'node:crypto';
import { escapeXml } from '../package/escape-xml.ts';
import { firefoxPolicy, forcelist, type PolicyDocument, type PolicyValue } from './browser-policy.ts';
import { type PolicyBrowser, type RollOut, VENDORS } from './roll-out.ts';

/**
 * A configuration profile (.mobileconfig) for device management. Chromium on macOS reads an extension's own settings only
 * from a domain named after it.
 * https://developer.apple.com/documentation/devicemanagement/toplevel
 */
export function plistPolicy(browser: PolicyBrowser, rollOut: RollOut): string {
  const { name } = VENDORS[browser];
  const identifier = `dev.lastbyte.${browser}`;
  const profile = {
    PayloadContent: payloads(browser, rollOut).map(([domain, values]) => ({
      ...values,
      ...header(domain, `${identifier}.${domain}`, JSON.stringify(values)),
      PayloadDisplayName: `Lastbyte for ${name}`,
    })),
    PayloadDisplayName: `Lastbyte for ${name}`,
    PayloadDescription: 'Installs Lastbyte and enrols it at its collector.',
    PayloadScope: 'System',
    ...header('Configuration', identifier, identifier),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${element(profile, '')}
</plist>
`;
}

function payloads(browser: PolicyBrowser, rollOut: RollOut): [string, PolicyDocument][] {
  const { domain } = VENDORS[browser];
  if (browser === 'firefox') return [[domain, { EnterprisePoliciesEnabled: true, ...firefoxPolicy(rollOut) }]];
  return [
    [domain, forcelist(rollOut)],
    [`${domain}.extensions.${rollOut.extensionId}`, rollOut.managed],
  ];
}

function header(type: string, identifier: string, seed: string): PolicyDocument {
  return {
    PayloadType: type,
    PayloadIdentifier: identifier,
    PayloadUUID: uuidOf(`${identifier} ${seed}`),
    PayloadVersion: 1,
  };
}

/** The same policy keeps its ids, so that a new version replaces it. */
function uuidOf(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex').toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `A${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Implemented here, since the plist packages bring XML parsers for these lines of output. */
function element(value: PolicyValue, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return `${indent}<string>${escapeXml(value)}</string>`;
  if (typeof value === 'boolean') return `${indent}<${value}/>`;
  if (typeof value === 'number') return `${indent}<integer>${value}</integer>`;
  if (isList(value)) {
    return [`${indent}<array>`, ...value.map((item) => element(item, inner)), `${indent}</array>`].join('\n');
  }
  const entries = Object.entries(value).map(
    ([key, item]) => `${inner}<key>${escapeXml(key)}</key>\n${element(item, inner)}`,
  );
  return [`${indent}<dict>`, ...entries, `${indent}</dict>`].join('\n');
}

function isList(value: PolicyValue): value is readonly PolicyValue[] {
  return Array.isArray(value);
}
