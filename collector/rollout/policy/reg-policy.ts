import { extensionSettings, UNSIGNED_PREFERENCES } from './browser-policy.ts';
import { type PolicyBrowser, type RollOut, VENDORS } from './roll-out.ts';

/** Entries of a forcelist are numbered, and all are read. An unusual number does not overwrite existing entries. */
const FORCELIST_NUMBER = '8642';
const REG_SZ = 1;
const REG_MULTI_SZ = 7;

/**
 * A file for reg.exe, regedit and group policy preferences. ASCII only, so that no editor or console can corrupt it: other
 * characters are written as bytes. https://learn.microsoft.com/windows-server/administration/windows-commands/reg-import
 */
export function regPolicy(browser: PolicyBrowser, rollOut: RollOut): string {
  const root = `HKEY_LOCAL_MACHINE\\${VENDORS[browser].registry}`;
  const sections = browser === 'firefox' ? firefoxSections(root, rollOut) : chromiumSections(root, rollOut);
  return `${['Windows Registry Editor Version 5.00', ...sections].join('\r\n\r\n')}\r\n`;
}

function chromiumSections(root: string, { extensionId, installFrom, managed }: RollOut): string[] {
  return [
    section(`${root}\\ExtensionInstallForcelist`, { [FORCELIST_NUMBER]: text(`${extensionId};${installFrom}`) }),
    section(
      `${root}\\3rdparty\\extensions\\${extensionId}\\policy`,
      Object.fromEntries(
        Object.entries(managed).map(([name, value]) => [
          name,
          typeof value === 'string' ? text(value) : `dword:${Number(value).toString(16).padStart(8, '0')}`,
        ]),
      ),
    ),
  ];
}

/** As JSON, because Firefox does not convert the registry's numbers to booleans. */
function firefoxSections(root: string, rollOut: RollOut): string[] {
  return [
    section(root, {
      ExtensionSettings: lines(JSON.stringify(extensionSettings(rollOut))),
      ...(rollOut.allowUnsigned ? { Preferences: lines(JSON.stringify(UNSIGNED_PREFERENCES)) } : {}),
    }),
    section(`${root}\\3rdparty\\Extensions`, { [rollOut.extensionId]: lines(JSON.stringify(rollOut.managed)) }),
  ];
}

function section(key: string, values: Readonly<Record<string, string>>): string {
  return [`[${key}]`, ...Object.entries(values).map(([name, value]) => `"${name}"=${value}`)].join('\r\n');
}

function text(value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return `"${value.replace(/["\\]/g, '\\$&')}"`;
  return hex(REG_SZ, `${value}\0`);
}

function lines(value: string): string {
  return hex(REG_MULTI_SZ, `${value}\0\0`);
}

function hex(type: number, value: string): string {
  const bytes = [...Buffer.from(value, 'utf16le')].map((byte) => byte.toString(16).padStart(2, '0'));
  return `hex(${type}):${bytes.join(',')}`;
}
