import { describe, expect, test } from 'vitest';
import { findBrowser, type Machine } from '../../../collector/browser/find-browser.ts';

function machine(platform: string, env: Record<string, string>, files: string[]): Machine {
  return { platform, env, isExecutable: (path) => files.includes(path) };
}

describe('findBrowser', () => {
  test('takes the named browser before an installed one', () => {
    const found = findBrowser(
      'chromium',
      machine('linux', { PATH: '/usr/bin', LASTBYTE_CHROMIUM: '/opt/mine' }, ['/usr/bin/chromium', '/opt/mine']),
    );
    expect(found).toEqual({ ok: true, engine: 'chromium', path: '/opt/mine' });
  });

  test('refuses a named browser that cannot be run instead of taking another', () => {
    const found = findBrowser(
      'firefox',
      machine('linux', { PATH: '/usr/bin', LASTBYTE_FIREFOX: '/nowhere' }, ['/usr/bin/firefox']),
    );
    expect(found).toMatchObject({ ok: false, code: 'browser_not_executable' });
  });

  test.each([
    ['linux', { PATH: '/bin:/usr/bin' }, 'firefox', '/usr/bin/firefox-esr'],
    ['linux', { PATH: '/bin' }, 'chromium', '/opt/microsoft/msedge/msedge'],
    [
      'darwin',
      { HOME: '/Users/u' },
      'chromium',
      '/Users/u/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    ['win32', { ProgramFiles: 'C:\\P' }, 'firefox', 'C:\\P\\Mozilla Firefox\\firefox.exe'],
    ['win32', { 'ProgramFiles(x86)': 'C:\\P86' }, 'chromium', 'C:\\P86\\Microsoft\\Edge\\Application\\msedge.exe'],
  ] as const)('finds it on %s with %j', (platform, env, engine, path) => {
    expect(findBrowser(engine, machine(platform, env, [path]))).toEqual({ ok: true, engine, path });
  });

  test('says what to install where there is none', () => {
    const found = findBrowser('firefox', machine('linux', { PATH: '/usr/bin' }, []));
    expect(found).toMatchObject({ ok: false, code: 'browser_not_found' });
    expect(found.ok ? '' : found.hint).toContain('apt-get install firefox-esr');
    expect(found.ok ? '' : found.hint).toContain('LASTBYTE_FIREFOX');
  });
});
