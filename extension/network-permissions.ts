/**
 * Firefox grants them with the package. Chromium routes every request of every page through the browser process as long as
 * any extension holds one of them, used or not: measured, a third of a millisecond each, a tenth of the load time of a page
 * of 500 resources. So they are optional there: `lastbyte package` adds them to packages whose settings need them, and
 * elsewhere the user grants them.
 * `HasAnyWebRequestPermissions` in
 * https://source.chromium.org/chromium/chromium/src/+/main:extensions/browser/api/web_request/web_request_api.cc
 */
export const NETWORK_PERMISSIONS = ['declarativeNetRequestWithHostAccess', 'webRequest'] as const;
