import type { DashboardTexts } from '../english/english.ts';

export const COMPONENTS: DashboardTexts['components'] = {};
