import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { policyText } from '../../../collector/rollout/policy/policy-text.ts';
import { POLICY_BROWSERS, type RollOut } from '../../../collector/rollout/policy/roll-out.ts';
import { readReg } from './read-reg.ts';
import { readPlist, readXml } from './read-xml.ts';

const CHROMIUM_ID = 'abcdefghijklmnopabcdefghijklmnop';
const FIREFOX_ID = 'lastbyte@lastbyte.dev';
/** Everything that one of the formats could trip over. */
const MANAGED = {
  collector: 'https://lb.example.com/a?b&c',
  key: 'lb_ingest_-_',
  site: `Büro "Süd" <3> \\ 'x' & ]]> 東京 %PATH%`,
  allowPauseForGood: false,
  share: 10,
  recorder: true,
  robot: false,
};

const chromium = (managed: RollOut['managed'] = MANAGED): RollOut => ({
  extensionId: CHROMIUM_ID,
  installFrom: 'https://lb.example.com/install/update.xml',
  managed,
  allowUnsigned: false,
});
const firefox = (allowUnsigned = false): RollOut => ({
  extensionId: FIREFOX_ID,
  installFrom: 'https://lb.example.com/install/firefox.xpi',
  managed: MANAGED,
  allowUnsigned,
});
const FORCELIST = [`${CHROMIUM_ID};https://lb.example.com/install/update.xml`];
const SETTINGS = {
  [FIREFOX_ID]: {
    installation_mode: 'force_installed',
    install_url: 'https://lb.example.com/install/firefox.xpi',
    updates_disabled: false,
  },
};
const UNSIGNED = { 'xpinstall.signatures.required': { Value: false, Status: 'locked' } };

test('the managed settings are the ones of the schema in the package, each with a title', () => {
  const schema = JSON.parse(readFileSync('extension/managed-schema.json', 'utf8'));
  expect(schema).toMatchObject({ type: 'object', title: expect.stringMatching(/\w/) });
  // Secrets of one machine, which the command never prints.
  const { variables, authorization, ...printed } = schema.properties;
  expect([variables, authorization]).toMatchObject([{ type: 'object' }, { type: 'object' }]);
  expect(Object.keys(printed)).toEqual(Object.keys(MANAGED));
  for (const [name, property] of Object.entries(printed)) {
    expect(property).toMatchObject({
      title: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\w/),
      type: `${typeof MANAGED[name as keyof typeof MANAGED]}`.replace('number', 'integer'),
    });
  }
});

describe('json', () => {
  test.each(['chrome', 'edge', 'chromium'] as const)('%s: force install and managed settings', (browser) => {
    expect(JSON.parse(policyText(browser, 'json', chromium()))).toEqual({
      ExtensionInstallForcelist: FORCELIST,
      '3rdparty': { extensions: { [CHROMIUM_ID]: MANAGED } },
    });
  });

  test('firefox: the same, and unsigned packages only where that was asked for', () => {
    const policies = { ExtensionSettings: SETTINGS, '3rdparty': { Extensions: { [FIREFOX_ID]: MANAGED } } };
    expect(JSON.parse(policyText('firefox', 'json', firefox()))).toEqual({ policies });
    expect(JSON.parse(policyText('firefox', 'json', firefox(true)))).toEqual({
      policies: { ...policies, Preferences: UNSIGNED },
    });
  });
});

describe('reg', () => {
  test.each([
    ['chrome', 'Google\\Chrome'],
    ['edge', 'Microsoft\\Edge'],
    ['chromium', 'Chromium'],
  ] as const)('%s', (browser, vendor) => {
    const root = `HKEY_LOCAL_MACHINE\\Software\\Policies\\${vendor}`;
    expect(readReg(policyText(browser, 'reg', chromium()))).toEqual({
      [`${root}\\ExtensionInstallForcelist`]: { 8642: FORCELIST[0] },
      [`${root}\\3rdparty\\extensions\\${CHROMIUM_ID}\\policy`]: {
        ...MANAGED,
        allowPauseForGood: 0,
        recorder: 1,
        robot: 0,
      },
    });
  });

  test('firefox: documents, in which a boolean stays one', () => {
    const root = 'HKEY_LOCAL_MACHINE\\Software\\Policies\\Mozilla\\Firefox';
    const keys = readReg(policyText('firefox', 'reg', firefox(true)));
    expect(Object.keys(keys)).toEqual([root, `${root}\\3rdparty\\Extensions`]);
    const document = (key: string, name: string) => JSON.parse([keys[key]?.[name]].flat().join('\n'));
    expect(document(root, 'ExtensionSettings')).toEqual(SETTINGS);
    expect(document(root, 'Preferences')).toEqual(UNSIGNED);
    expect(document(`${root}\\3rdparty\\Extensions`, FIREFOX_ID)).toEqual(MANAGED);
    expect(readReg(policyText('firefox', 'reg', firefox()))[root]).not.toHaveProperty('Preferences');
  });

  test.each(POLICY_BROWSERS)('%s: plain ASCII, whatever the site is called', (browser) => {
    expect(policyText(browser, 'reg', browser === 'firefox' ? firefox() : chromium())).toMatch(/^[\r\n\x20-\x7e]*$/);
  });
});

describe('plist', () => {
  const DOMAINS = { chrome: 'com.google.Chrome', edge: 'com.microsoft.Edge', chromium: 'org.chromium.Chromium' };

  test.each(Object.entries(DOMAINS))('%s: a payload for the browser and one for the extension', (browser, domain) => {
    const profile = readPlist(policyText(browser as 'chrome', 'plist', chromium())) as Profile;
    expect(profile).toMatchObject({ PayloadType: 'Configuration', PayloadVersion: 1, PayloadScope: 'System' });
    expect(profile.PayloadContent).toMatchObject([
      { PayloadType: domain, ExtensionInstallForcelist: FORCELIST },
      { PayloadType: `${domain}.extensions.${CHROMIUM_ID}`, ...MANAGED },
    ]);
    uniqueIds(profile);
  });

  test('firefox', () => {
    const profile = readPlist(policyText('firefox', 'plist', firefox(true))) as Profile;
    expect(profile.PayloadContent).toMatchObject([
      {
        PayloadType: 'org.mozilla.firefox',
        EnterprisePoliciesEnabled: true,
        ExtensionSettings: SETTINGS,
        '3rdparty': { Extensions: { [FIREFOX_ID]: MANAGED } },
        Preferences: UNSIGNED,
      },
    ]);
    uniqueIds(profile);
  });

  test('the same policy has the same ids, so that it replaces itself', () => {
    expect(policyText('chrome', 'plist', chromium())).toBe(policyText('chrome', 'plist', chromium()));
    const [first, other] = [MANAGED, { ...MANAGED, site: 'Wien' }].map(
      (managed) => readPlist(policyText('chrome', 'plist', chromium(managed))) as Profile,
    );
    expect(other?.PayloadUUID).toBe(first?.PayloadUUID);
    expect(other?.PayloadContent[1]?.PayloadUUID).not.toBe(first?.PayloadContent[1]?.PayloadUUID);
  });

  test.runIf(hasPython())('another reader of property lists reads the same', () => {
    const text = policyText('chrome', 'plist', chromium());
    const script = 'import plistlib, json, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
    const read = execFileSync('python3', ['-c', script], { input: text }).toString();
    expect(JSON.parse(read)).toEqual(readPlist(text));
  });

  interface Profile {
    readonly PayloadUUID: string;
    readonly PayloadIdentifier: string;
    readonly PayloadContent: readonly Profile[];
  }

  function uniqueIds({ PayloadUUID, PayloadIdentifier, PayloadContent }: Profile): void {
    const all = [PayloadUUID, PayloadIdentifier].concat(
      PayloadContent.flatMap((payload) => [payload.PayloadUUID, payload.PayloadIdentifier]),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(PayloadUUID).toMatch(/^[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-A[0-9A-F]{3}-[0-9A-F]{12}$/);
  }
});

describe('intune', () => {
  interface Configuration {
    readonly omaSettings: readonly { displayName: string; omaUri: string; value: string }[];
  }
  const CONFIG = './Device/Vendor/MSFT/Policy/Config/';
  const INGEST = './Device/Vendor/MSFT/Policy/ConfigOperations/ADMXInstall/';

  const rows = (browser: 'chrome' | 'edge' | 'firefox', rollOut: RollOut) => {
    const document = JSON.parse(policyText(browser, 'intune', rollOut)) as Configuration;
    expect(document).toMatchObject({ '@odata.type': '#microsoft.graph.windows10CustomConfiguration' });
    for (const row of document.omaSettings) {
      expect(row).toMatchObject({ '@odata.type': '#microsoft.graph.omaSettingString' });
    }
    return new Map(document.omaSettings.map(({ omaUri, value }) => [omaUri, value]));
  };
  /** id → value of an enabled policy. */
  const data = (value = ''): Record<string, string> => {
    const { children } = readXml(`<policy>${value}</policy>`);
    expect(children[0]?.name).toBe('enabled');
    return Object.fromEntries(children.slice(1).map(({ attributes }) => [attributes.id, attributes.value]));
  };

  test.each([
    ['chrome', 'Chrome~Policy~googlechrome~Extensions', 'Google\\Chrome'],
    ['edge', 'Edge~Policy~microsoft_edge~Extensions', 'Microsoft\\Edge'],
  ] as const)('%s: the vendor installs, a template of ours writes the managed settings', (browser, area, vendor) => {
    const name = browser === 'chrome' ? 'Chrome' : 'Edge';
    const settings = rows(browser, chromium());
    expect(data(settings.get(`${CONFIG}${area}/ExtensionInstallForcelist`))).toEqual({
      ExtensionInstallForcelistDesc: `1\uf000${FORCELIST[0]}`,
    });
    const values = data(settings.get(`${CONFIG}Lastbyte${name}~Policy~Lastbyte/Enrol${name}`));
    const policy = templateOf(settings.get(`${INGEST}Lastbyte${name}/Policy/Lastbyte${name}Admx`));
    expect(policy.attributes).toMatchObject({
      name: `Enrol${name}`,
      class: 'Machine',
      key: `Software\\Policies\\${vendor}\\3rdparty\\extensions\\${CHROMIUM_ID}\\policy`,
    });
    const elements = policy.children.find((child) => child.name === 'elements')?.children ?? [];
    expect(
      Object.fromEntries(elements.map(({ attributes: { id = '', valueName = '' } }) => [valueName, values[id]])),
    ).toEqual({ ...MANAGED, allowPauseForGood: 'false', share: '10', recorder: 'true', robot: 'false' });
    const kinds = elements.map(({ name: kind }) => kind);
    expect(kinds).toEqual(['text', 'text', 'text', 'boolean', 'decimal', 'boolean', 'boolean']);
    expect(settings.size).toBe(3);
  });

  test('firefox: documents on one line', () => {
    const settings = rows('firefox', firefox(true));
    const extensions = data(settings.get(`${CONFIG}Firefox~Policy~firefox~Extensions/ExtensionSettingsOneLine`));
    expect(JSON.parse(extensions.JSONOneLine ?? '')).toEqual(SETTINGS);
    const preferences = data(settings.get(`${CONFIG}Firefox~Policy~firefox/Preferences`));
    expect(JSON.parse(preferences.JSON ?? '')).toEqual(UNSIGNED);
    const policy = templateOf(settings.get(`${INGEST}LastbyteFirefox/Policy/LastbyteFirefoxAdmx`));
    expect(policy.attributes.key).toBe('Software\\Policies\\Mozilla\\Firefox\\3rdparty\\Extensions');
    const { setting0 = '' } = data(settings.get(`${CONFIG}LastbyteFirefox~Policy~Lastbyte/EnrolFirefox`));
    expect(JSON.parse(setting0)).toEqual(MANAGED);
    expect([...settings.values()].join()).not.toContain('\n<data');
  });

  test('chromium: there is none, and what to take instead', () => {
    expect(() => policyText('chromium', 'intune', chromium())).toThrow(/no template for Intune/);
  });

  function templateOf(admx = '') {
    const [policy] = readXml(admx.trim()).children.find(({ name }) => name === 'policies')?.children ?? [];
    if (policy === undefined) throw new Error('the template has no policy');
    return policy;
  }
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import plistlib'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
