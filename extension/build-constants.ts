import type { Engine } from '../shared/timing/entry-context.ts';

/** Replaced by the build: see build-extension.mjs. */
declare const __ENGINE__: Engine;
declare const __VERSION__: string;

export const ENGINE: Engine = __ENGINE__;
export const VERSION: string = __VERSION__;
