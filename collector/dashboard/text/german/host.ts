import type { DashboardTexts } from '../english/english.ts';

export const HOST: DashboardTexts['host'] = {};
