import { escapeXml } from './escape-xml.ts';
import type { OfferedFile } from './offered-packages.ts';
import type { PackagesRecord } from './packages-record.ts';

/**
 * What Chromium requests to install and to update.
 * https://developer.chrome.com/docs/extensions/how-to/distribute/host-on-linux#update-manifest
 */
export function chromiumUpdates(record: PackagesRecord, crx: OfferedFile, address: string): string {
  const attributes = {
    codebase: address,
    version: record.version,
    prodversionmin: record.minimumChromium,
    hash_sha256: crx.sha256,
    size: String(crx.body.length),
  };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escapeXml(value)}"`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<gupdate xmlns="http://www.google.com/update2/response" protocol="2.0">
  <app appid="${record.chromiumId}">
    <updatecheck ${written.join(' ')}/>
  </app>
</gupdate>
`;
}

/** The same for Firefox. https://extensionworkshop.com/documentation/manage/updating-your-extension/ */
export function firefoxUpdates(record: PackagesRecord, xpi: OfferedFile, address: string): string {
  const update = {
    version: record.version,
    update_link: address,
    update_hash: `sha256:${xpi.sha256}`,
    applications: { gecko: { strict_min_version: record.minimumFirefox } },
  };
  return `${JSON.stringify({ addons: { [record.firefoxId]: { updates: [update] } } }, null, 2)}\n`;
}
