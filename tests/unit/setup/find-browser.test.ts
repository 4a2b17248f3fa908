import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../../collector/setup/find-browser.mjs';

function machine(platform: string, env: Record<string, string>, ...installed: string[]) {
  return { platform, env, home: '/Users/u', isExecutable: (file: string) => installed.includes(file) };
}

describe('findBrowser', () => {
  it('takes what the variable names before anything installed', () => {
    const here = machine('linux', { LASTBYTE_CHROMIUM: '/opt/c', PATH: '/usr/bin' }, '/opt/c', '/usr/bin/chromium');
    expect(findBrowser('chromium', here)).toEqual({ kind: 'chromium', path: '/opt/c', from: 'LASTBYTE_CHROMIUM' });
  });

  it('refuses a variable that names nothing, although another browser is installed', () => {
    const here = machine('linux', { LASTBYTE_FIREFOX: '/opt/f', PATH: '/usr/bin' }, '/usr/bin/firefox');
    expect(() => findBrowser('firefox', here)).toThrow(/LASTBYTE_FIREFOX names \/opt\/f/);
  });

  it('prefers Chromium to branded builds, wherever in PATH they lie', () => {
    const here = machine('linux', { PATH: '/a:/b' }, '/a/google-chrome', '/b/chromium');
    expect(findBrowser('chromium', here)?.path).toBe('/b/chromium');
  });

  it('looks beyond PATH: cron and services have a short one', () => {
    expect(findBrowser('firefox', machine('linux', {}, '/usr/bin/firefox-esr'))?.path).toBe('/usr/bin/firefox-esr');
  });

  it('finds applications of macOS and programs of Windows', () => {
    const mac = '/Users/u/Applications/Firefox.app/Contents/MacOS/firefox';
    expect(findBrowser('firefox', machine('darwin', {}, mac))?.path).toBe(mac);
    const edge = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
    const windows = machine('win32', { 'PROGRAMFILES(X86)': 'C:\\Program Files (x86)' }, edge);
    expect(findBrowser('chromium', windows)?.path).toBe(edge);
  });

  it('is null where there is none', () => {
    expect(findBrowser('chromium', machine('linux', { PATH: '/usr/bin' }))).toBeNull();
  });
});
