/**
 * Firefox gives them with the package. Chromium leads every request of every page through the browser's main process for as
 * long as one extension holds either of them, used or not: measured, a third of a millisecond each, a tenth of the load of
 * a page of 500 resources. So there they are optional: `lastbyte package` puts them into the packages whose settings need
 * them, and elsewhere the user allows them.
 * `HasAnyWebRequestPermissions` in
 * https://source.chromium.org/chromium/chromium/src/+/main:extensions/browser/api/web_request/web_request_api.cc
 */
export const NETWORK_PERMISSIONS = ['declarativeNetRequestWithHostAccess', 'webRequest'] as const;
