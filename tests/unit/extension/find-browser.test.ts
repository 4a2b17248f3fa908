import { describe, expect, test } from 'vitest';
import { findBrowser } from '../../../collector/lab/browser/find-browser.ts';

function linux(env: Record<string, string>, files: string[]) {
  return { platform: 'linux', env, home: '/home/user', isExecutable: (path: string) => files.includes(path) };
}

describe('findBrowser', () => {
  test('takes the named browser before an installed one', () => {
    const machine = linux({ PATH: '/usr/bin', LASTBYTE_CHROMIUM: '/opt/mine' }, ['/usr/bin/chromium', '/opt/mine']);
    expect(findBrowser('chromium', machine)).toEqual({ ok: true, engine: 'chromium', path: '/opt/mine' });
  });

  test('refuses a named browser that cannot be run instead of taking another', () => {
    const machine = linux({ PATH: '/usr/bin', LASTBYTE_FIREFOX: '/nowhere' }, ['/usr/bin/firefox']);
    expect(findBrowser('firefox', machine)).toMatchObject({ ok: false, code: 'browser_not_executable' });
  });

  test('says what to install where there is none', () => {
    const found = findBrowser('firefox', linux({ PATH: '/usr/bin' }, []));
    expect(found).toMatchObject({ ok: false, code: 'browser_not_found' });
    expect(found.ok ? '' : found.hint).toContain('apt-get install -y firefox-esr');
    expect(found.ok ? '' : found.hint).toContain('LASTBYTE_FIREFOX');
  });
});
