import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installCommand } from '../../../collector/setup/apt.mjs';
import { takeBrowser } from '../../../collector/setup/command-line.mjs';
import { isSupported, nodeStep } from '../../../collector/setup/provide-node.mjs';
import { withLock } from '../../../collector/setup/setup-lock.mjs';
import { sourceStamp } from '../../../collector/setup/source-stamp.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lastbyte-set-up-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the Node to run with', () => {
  it('is what package.json asks for', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(engines.node).toBe('^22.18.0 || >=24.0.0');
    for (const version of ['22.18.0', '22.23.3', '24.0.0', '26.12.1']) expect(isSupported(version), version).toBe(true);
    for (const version of ['22.17.1', '23.11.0', '20.20.2', '18.20.0'])
      expect(isSupported(version), version).toBe(false);
  });

  it('is a supported one on every platform that has a package', () => {
    const { packages } = JSON.parse(readFileSync('collector/setup/node/package-lock.json', 'utf8'));
    const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win-arm64', 'win-x64'];
    for (const platform of platforms)
      expect(isSupported(packages[`node_modules/node-${platform}`].version), platform).toBe(true);
  });

  it('is asked for in one sentence where there is no package', async () => {
    const step = nodeStep('.', { version: '18.20.0', platform: 'freebsd', arch: 'x64' });
    expect(await step.isNeeded()).toBe(true);
    await expect(step.run()).rejects.toThrow(/this is Node 18\.20\.0.*no package of one for freebsd x64.*nodejs\.org/s);
  });
});

describe('takeBrowser', () => {
  it('finds both spellings and leaves the rest in order', () => {
    expect(takeBrowser(['--once', '--browser', 'firefox', '--json'])).toEqual({
      browser: 'firefox',
      rest: ['--once', '--json'],
    });
    expect(takeBrowser(['--browser=chromium'])).toEqual({ browser: 'chromium', rest: [] });
    expect(takeBrowser(['-t', 'x'])).toEqual({ browser: null, rest: ['-t', 'x'] });
  });

  it('refuses another browser', () => {
    expect(() => takeBrowser(['--browser', 'opera'])).toThrow(/opera is unknown/);
    expect(() => takeBrowser(['--browser'])).toThrow(/name chromium or firefox/);
  });
});

describe('sourceStamp', () => {
  function source(name: string, content: string) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }

  beforeEach(() => {
    for (const name of ['collector/a.ts', 'extension/b.ts', 'shared/deep/c.ts']) source(name, name);
    for (const name of ['esbuild.config.mjs', 'package.json', 'package-lock.json']) source(name, name);
  });

  it('changes with a content, a name and the lock file, and with nothing else', () => {
    const before = sourceStamp(folder);
    source('README.md', 'not built');
    expect(sourceStamp(folder)).toBe(before);
    source('shared/deep/c.ts', 'changed');
    const changed = sourceStamp(folder);
    expect(changed).not.toBe(before);
    renameSync(path.join(folder, 'shared/deep/c.ts'), path.join(folder, 'shared/deep/d.ts'));
    const renamed = sourceStamp(folder);
    expect(renamed).not.toBe(changed);
    source('package-lock.json', 'changed');
    expect(sourceStamp(folder)).not.toBe(renamed);
  });
});

describe('withLock', () => {
  it('lets one in after the other', async () => {
    const file = path.join(folder, 'lock');
    const events: string[] = [];
    const enter = (name: string) =>
      withLock(file, async () => {
        events.push(`${name} in`);
        await new Promise((resolve) => setImmediate(resolve));
        events.push(`${name} out`);
      });
    await Promise.all([enter('a'), enter('b')]);
    expect(events).toEqual(['a in', 'a out', 'b in', 'b out']);
  });

  it('takes over from a process that no longer runs', async () => {
    const file = path.join(folder, 'lock');
    writeFileSync(file, '4194305'); // above Linux's largest process id
    expect(await withLock(file, async () => 'done')).toBe('done');
  });

  it('is released after a failure', async () => {
    const file = path.join(folder, 'lock');
    await expect(withLock(file, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await withLock(file, async () => 'again')).toBe('again');
  });
});

describe('installCommand', () => {
  const how = { apt: 'a', dnf: 'd', pacman: 'p', zypper: 'z', apk: 'k', darwin: 'brew x', win32: 'winget x' };

  it.each([
    ['darwin', '', 'brew x'],
    ['win32', '', 'winget x'],
    ['linux', '/usr/bin/dnf', 'sudo dnf install -y d'],
    ['linux', '/usr/bin/pacman', 'sudo pacman -S --needed p'],
    ['linux', '/usr/bin/zypper', 'sudo zypper install -y z'],
    ['linux', '/sbin/apk', 'sudo apk add k'],
    ['linux', '', 'sudo apt-get update && sudo apt-get install -y a'],
  ])('on %s with %s is %s', (platform, present, command) => {
    expect(installCommand(how, { platform, exists: (file) => file === present })).toBe(command);
  });
});
