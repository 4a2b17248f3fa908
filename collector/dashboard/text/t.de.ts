import type { DashboardTexts } from './english/english.ts';
import { GERMAN_DASHBOARD } from './german/german.ts';

/** See `t.ts`. */
export const t: DashboardTexts = GERMAN_DASHBOARD;
