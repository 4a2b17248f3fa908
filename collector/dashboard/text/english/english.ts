import { ENGLISH } from '../../../analysis/text/english.ts';
import { APP } from './app.ts';
import { CHARTS } from './charts.ts';
import { COMPONENTS } from './components.ts';
import { OVERVIEW } from './overview.ts';
import { SAVED_VIEWS } from './saved-views.ts';
import { UNITS } from './units.ts';
import { VALUES } from './values.ts';

/**
 * The texts of a first visit: what reports say too, and a part per folder. `GERMAN_DASHBOARD` has the same keys. Views that
 * are loaded on demand have theirs in the other files here.
 */
export const ENGLISH_DASHBOARD = {
  ...ENGLISH,
  units: UNITS,
  values: VALUES,
  app: APP,
  components: COMPONENTS,
  charts: CHARTS,
  overview: OVERVIEW,
  savedViews: SAVED_VIEWS,
};

export type DashboardTexts = typeof ENGLISH_DASHBOARD;
