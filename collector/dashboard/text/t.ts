import { ENGLISH_DASHBOARD } from './english/english.ts';

/**
 * The texts of the page's language that a first visit needs. The dashboard is built once per language: in the German build
 * `t.de.ts` takes the place of this module, so a page loads one language only, and constants may hold texts. Views that are
 * loaded on demand have theirs in modules beside this one.
 */
export const t = ENGLISH_DASHBOARD;
