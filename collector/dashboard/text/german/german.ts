import { GERMAN } from '../../../analysis/text/german.ts';
import type { DashboardTexts } from '../english/english.ts';
import { APP } from './app.ts';
import { CHARTS } from './charts.ts';
import { COMPARE } from './compare.ts';
import { COMPONENTS } from './components.ts';
import { EVIDENCE } from './evidence.ts';
import { HOST } from './host.ts';
import { OVERVIEW } from './overview.ts';
import { PROBES } from './probes.ts';
import { UNITS } from './units.ts';

export const GERMAN_DASHBOARD: DashboardTexts = {
  ...GERMAN,
  units: UNITS,
  app: APP,
  components: COMPONENTS,
  charts: CHARTS,
  overview: OVERVIEW,
  host: HOST,
  probes: PROBES,
  compare: COMPARE,
  evidence: EVIDENCE,
};
