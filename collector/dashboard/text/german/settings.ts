import type { DashboardTexts } from '../english/english.ts';

export const SETTINGS: DashboardTexts['settings'] = {};
