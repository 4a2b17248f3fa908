import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { PACKAGE_FILES } from '../../collector/rollout/package/packages-record.ts';
import { policyPlaces } from '../../collector/rollout/policy/policy-text.ts';
import { POLICY_BROWSERS, VENDORS } from '../../collector/rollout/policy/roll-out.ts';
import { manifest } from '../../extension/manifest.mjs';

const doc = await readFile('docs/rollout.md', 'utf8');

test('files, folders and keys in it are the ones that the commands write and name', () => {
  for (const file of Object.values(PACKAGE_FILES)) expect(doc).toContain(`\`${file}\``);
  for (const browser of POLICY_BROWSERS) {
    for (const { system, place } of policyPlaces(browser, 'json')) if (system === 'Linux') expect(doc).toContain(place);
    const { registry, domain } = VENDORS[browser];
    if (browser === 'chromium') continue;
    expect(doc).toContain(registry.replace('Software\\Policies\\', ''));
    expect(doc).toContain(domain);
  }
  const chromium = manifest('chromium', '0') as { minimum_chrome_version: string };
  const firefox = manifest('firefox', '0') as {
    browser_specific_settings: { gecko: { id: string; strict_min_version: string } };
  };
  const { id, strict_min_version: minimum } = firefox.browser_specific_settings.gecko;
  expect(doc).toContain(`Chromium ≥ ${chromium.minimum_chrome_version}, Firefox ≥ ${Number.parseInt(minimum, 10)}`);
  expect(doc).toContain(`\`${id}\``);
});
