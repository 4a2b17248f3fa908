import type { BrowserEngine } from '../shared/vocabulary/vocabulary.ts';

/** Replaced by the build: build-extension.mjs. */
declare const __ENGINE__: BrowserEngine;

export const ENGINE: BrowserEngine = __ENGINE__;
