/**
 * The only file that names the browser's extension API. In the content script, where every byte costs every page, and in
 * Firefox the build replaces the polyfill with the browser's own object: build-extension.mjs.
 */
import platform, { type Permissions, type Runtime, type WebRequest } from 'webextension-polyfill';

export type { Permissions, Runtime, WebRequest };
export { platform };
