/**
 * The only source of the manifest. `lastbyte package` later adds what an enrolment needs: host permissions of its targets
 * and enrolment.json.
 */

const MINIMUM_CHROMIUM = '121';
/** The first that asks for consent through data_collection_permissions; on Android that is a later one. */
const MINIMUM_FIREFOX = '140.0';
const MINIMUM_FIREFOX_ANDROID = '142.0';
/** Never changes: policies, updates and stored data depend on it. */
const GECKO_ID = 'lastbyte@lastbyte.dev';

/** idle: a probe may be set to run only while the user is idle. */
const PERMISSIONS = ['alarms', 'idle', 'scripting', 'storage'];
/**
 * Session rules for probes and unlocked timings, and errors that pages do not see; only on granted hosts. Optional in
 * Chromium, where holding them slows every page: extension/network-permissions.ts. Firefox has no optional rules.
 */
const NETWORK_PERMISSIONS = ['declarativeNetRequestWithHostAccess', 'webRequest'];
/** The document whose frame gives a probe a connection of its own. */
const CHROMIUM_PERMISSIONS = ['offscreen'];
/** TLS facts are reported to blocking listeners only; background/tls-watch.ts says how few responses that delays. */
const FIREFOX_PERMISSIONS = [...NETWORK_PERMISSIONS, 'webRequestBlocking'];

/**
 * @param {'chromium' | 'firefox'} engine
 * @param {string} version
 * @param {string} [key] public key in base64, for a fixed id in Chromium
 */
export function manifest(engine, version, key) {
  return {
    manifest_version: 3,
    name: '__MSG_name__',
    description: '__MSG_description__',
    default_locale: 'en',
    version,
    icons: icons([16, 32, 48, 128]),
    action: { default_title: '__MSG_name__', default_popup: 'popup.html', default_icon: icons([16, 32]) },
    options_ui: { page: 'options.html', open_in_tab: true },
    permissions: [...PERMISSIONS, ...(engine === 'chromium' ? CHROMIUM_PERMISSIONS : FIREFOX_PERMISSIONS)].sort(),
    optional_host_permissions: ['http://*/*', 'https://*/*'],
    // Firefox's default policy upgrades http:// to https://, which would break a collector or probe on plain HTTP.
    content_security_policy: { extension_pages: "script-src 'self'; object-src 'self'" },
    ...(engine === 'chromium' ? chromium(key) : firefox()),
  };
}

function chromium(key) {
  return {
    ...(key === undefined ? {} : { key }),
    minimum_chrome_version: MINIMUM_CHROMIUM,
    optional_permissions: NETWORK_PERMISSIONS,
    background: { service_worker: 'background.js' },
    storage: { managed_schema: 'managed-schema.json' },
  };
}

function firefox() {
  return {
    background: { scripts: ['background.js'] },
    browser_specific_settings: {
      gecko: {
        id: GECKO_ID,
        strict_min_version: MINIMUM_FIREFOX,
        // Hosts and path templates of the targets' requests: Mozilla calls that browsing activity.
        data_collection_permissions: { required: ['browsingActivity'] },
      },
      gecko_android: { strict_min_version: MINIMUM_FIREFOX_ANDROID },
    },
  };
}

function icons(sizes) {
  return Object.fromEntries(sizes.map((size) => [size, `icons/${size}.png`]));
}
