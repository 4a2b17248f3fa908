import { GERMAN } from '../../../analysis/text/german.ts';
import type { DashboardTexts } from '../english/english.ts';
import { APP } from './app.ts';
import { CHARTS } from './charts.ts';
import { COMPONENTS } from './components.ts';
import { OVERVIEW } from './overview.ts';
import { SAVED_VIEWS } from './saved-views.ts';
import { UNITS } from './units.ts';
import { VALUES } from './values.ts';

export const GERMAN_DASHBOARD: DashboardTexts = {
  ...GERMAN,
  units: UNITS,
  values: VALUES,
  app: APP,
  components: COMPONENTS,
  charts: CHARTS,
  overview: OVERVIEW,
  savedViews: SAVED_VIEWS,
};
