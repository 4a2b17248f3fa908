import type { DashboardTexts } from '../english/english.ts';

export const EVIDENCE: DashboardTexts['evidence'] = {};
