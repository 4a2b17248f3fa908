import { beforeEach, expect, test, vi } from 'vitest';
import { networkAccess, notePermissions } from '../../../extension/network-access.ts';

const build = vi.hoisted(() => ({ ENGINE: 'chromium' }));
const browser = vi.hoisted(() => ({
  allowed: [] as string[],
  session: {} as Record<string, unknown>,
  interfaces: {} as object,
}));
vi.mock('../../../extension/build-constants.ts', () => build);
vi.mock('../../../extension/platform.ts', () => ({
  get platform() {
    return {
      ...browser.interfaces,
      permissions: {
        contains: async ({ permissions }: { permissions: string[] }) =>
          permissions.every((name) => browser.allowed.includes(name)),
      },
      storage: {
        session: {
          get: async () => browser.session,
          set: async (items: object) => void Object.assign(browser.session, items),
        },
      },
    };
  },
}));

const BOTH = ['declarativeNetRequestWithHostAccess', 'webRequest'];
const INTERFACES = { declarativeNetRequest: {}, webRequest: {} };

beforeEach(() => {
  build.ENGINE = 'chromium';
  browser.allowed = [];
  browser.session = {};
  browser.interfaces = {};
});

test('what the package or an earlier session allowed is there', async () => {
  browser.allowed = BOTH;
  browser.interfaces = INTERFACES;
  expect(await networkAccess()).toBe('there');
});

test('one permission of the two is not enough, nor are interfaces that outlived them', async () => {
  browser.interfaces = INTERFACES;
  expect(await networkAccess()).toBe('missing');
  browser.allowed = ['webRequest'];
  expect(await networkAccess()).toBe('missing');
});

test('what was allowed since the browser started waits for its next start, also where the interfaces came already', async () => {
  browser.allowed = BOTH;
  browser.interfaces = INTERFACES;
  await notePermissions(['webRequest']);
  expect(await networkAccess()).toBe('after_restart');
  browser.session = {}; // the browser starts anew
  await notePermissions(['tabs']);
  expect(await networkAccess()).toBe('there');
});

test.each([{}, { webRequest: {} }, { declarativeNetRequest: {} }])(
  'a background that began without the permission cannot use it, whoever gave it: %o',
  async (interfaces) => {
    browser.allowed = BOTH;
    browser.interfaces = interfaces;
    expect(await networkAccess()).toBe('after_restart');
  },
);

test('Firefox gives them with the package', async () => {
  build.ENGINE = 'firefox';
  expect(await networkAccess()).toBe('there');
});
