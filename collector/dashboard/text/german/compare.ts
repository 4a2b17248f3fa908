import type { DashboardTexts } from '../english/english.ts';

export const COMPARE: DashboardTexts['compare'] = {};
