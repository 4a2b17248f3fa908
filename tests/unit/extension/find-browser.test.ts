import { describe, expect, test } from 'vitest';
import { chooseBrowser, findBrowser } from '../../../collector/lab/browser/find-browser.ts';
import { CommandFailure } from '../../../collector/lib/failure.ts';

function linux(env: Record<string, string>, files: string[]) {
  return { platform: 'linux', env, home: '/home/user', isExecutable: (path: string) => files.includes(path) };
}

describe('chooseBrowser', () => {
  const onlyChromium = linux({ PATH: '/usr/bin' }, ['/usr/bin/chromium']);

  test('takes the first one installed where none is named', () => {
    expect(chooseBrowser(null, onlyChromium)).toMatchObject({ engine: 'chromium', path: '/usr/bin/chromium' });
  });

  test('refuses a named one that is not there, and names the one that is', () => {
    const failure = failureOf(() => chooseBrowser('firefox', onlyChromium));
    expect(failure.message).toContain('No Firefox was found');
    expect(failure.hint).toMatch(/Or drive Chrome, Chromium or Edge, which is installed: --browser chromium/);
  });

  test('names none where none is there', () => {
    expect(failureOf(() => chooseBrowser('firefox', linux({ PATH: '/usr/bin' }, []))).hint).not.toContain('--browser');
  });

  function failureOf(choose: () => unknown): CommandFailure {
    try {
      choose();
    } catch (error) {
      if (error instanceof CommandFailure) return error;
    }
    throw new Error('It was not refused.');
  }
});

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
