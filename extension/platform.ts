/**
 * The only file that names the browser's extension API. In the content script the build replaces the polyfill with the
 * browser's own object, because every byte there costs every page: build-extension.mjs.
 */
import platform, { type Permissions, type Runtime, type WebRequest } from 'webextension-polyfill';

export type { Permissions, Runtime, WebRequest };
export { platform };
