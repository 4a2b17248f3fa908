import { ENGLISH } from '../../../analysis/text/english.ts';
import { APP } from './app.ts';
import { CHARTS } from './charts.ts';
import { COMPARE } from './compare.ts';
import { COMPONENTS } from './components.ts';
import { EVIDENCE } from './evidence.ts';
import { HOST } from './host.ts';
import { OVERVIEW } from './overview.ts';
import { PROBES } from './probes.ts';
import { UNITS } from './units.ts';

/** Every text of the dashboard: what reports say too, and a part per folder. `GERMAN_DASHBOARD` has the same keys. */
export const ENGLISH_DASHBOARD = {
  ...ENGLISH,
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

export type DashboardTexts = typeof ENGLISH_DASHBOARD;
