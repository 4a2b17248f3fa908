import { describe, expect, it } from 'vitest';
import { whyStale } from '../../../collector/setup/install-packages.mjs';

const left = { version: '1.0.0', integrity: 'sha512-left' };
const native = { version: '2.0.0', integrity: 'sha512-native', optional: true };
const lock = { packages: { '': { version: '0.1.0' }, 'node_modules/left': left, 'node_modules/@os/native': native } };

describe('whyStale', () => {
  it('is null where everything the lock file names is there, in its version', () => {
    expect(whyStale(lock, { packages: lock.packages })).toBeNull();
  });

  it('does not miss an optional package: it is for another platform', () => {
    expect(whyStale(lock, { packages: { 'node_modules/left': left } })).toBeNull();
  });

  it('sees an optional package of another version', () => {
    const installed = {
      packages: { 'node_modules/left': left, 'node_modules/@os/native': { ...native, version: '1' } },
    };
    expect(whyStale(lock, installed)).toBe('@os/native has another version');
  });

  it('sees a missing package, another version and other content', () => {
    expect(whyStale(lock, { packages: {} })).toBe('left is not installed');
    expect(whyStale(lock, { packages: { 'node_modules/left': { ...left, version: '1.0.1' } } })).toMatch(/left has/);
    expect(whyStale(lock, { packages: { 'node_modules/left': { ...left, integrity: 'x' } } })).toMatch(/left has/);
  });

  it('takes an install that did not get to its end for none', () => {
    expect(whyStale(lock, null)).toBe('no packages are installed yet');
  });
});
