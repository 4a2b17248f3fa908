import type { Engine } from '../shared/timing/entry-context.ts';

/** Replaced by the build: see build-extension.mjs. */
declare const __ENGINE__: Engine;

export const ENGINE: Engine = __ENGINE__;
