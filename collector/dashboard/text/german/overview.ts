import type { DashboardTexts } from '../english/english.ts';

export const OVERVIEW: DashboardTexts['overview'] = {};
