import type { DashboardTexts } from '../english/english.ts';

export const PROBES: DashboardTexts['probes'] = {};
