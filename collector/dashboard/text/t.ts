import { ENGLISH } from '../../analysis/text/english.ts';
import { APP } from './app.ts';
import { CHARTS } from './charts.ts';
import { COMPONENTS } from './components.ts';
import { OVERVIEW } from './overview.ts';

const { count } = ENGLISH.numbers;

/**
 * The texts of the page's language that a first visit needs: what reports say too, and a part per folder. The dashboard is built
 * once per language: in the German build `t.de.ts` takes the place of this module, so a page loads one language only, and
 * constants may hold texts. Views that are loaded on demand have theirs in modules beside this one.
 */
export const t = {
  ...ENGLISH,
  units: {
    justNow: 'just now',
    secondsAgo: (n: number) => `${n} s ago`,
    minutesAgo: (n: number) => `${n} min ago`,
    hoursAgo: (n: number) => `${n} h ago`,
    daysAgo: (n: number) => `${count(n)} ${n === 1 ? 'day' : 'days'} ago`,
  },
  /** Values of dimensions in words; more are with what reports say too. */
  values: {
    /** Other values that fill a whole cell of these tables: English has the names of JSON. */
    cells: {} as Readonly<Record<string, string>>,
    /** Sources as the tables of reports group them. */
    groupSources: { page: 'users', probe: 'probes', import: 'imported recordings' } as Readonly<Record<string, string>>,
    sources: {
      page: 'users',
      'probe-script': 'probes: scripts',
      'probe-http-new': 'probes: HTTP, new connection',
      'probe-http-reused': 'probes: HTTP, reused connection',
      'probe-https-reused': 'probes: HTTPS, reused connection',
      'probe-https-new': 'probes: HTTPS, everything new',
      har: 'imported recordings',
    } as Readonly<Record<string, string>>,
  },
  app: APP,
  components: COMPONENTS,
  charts: CHARTS,
  overview: OVERVIEW,
  savedViews: {
    title: 'Saved views',
    none: 'No view has been saved yet.',
    save: 'Save this view as …',
    rename: 'Rename',
    renameOf: (name: string) => `Rename the view “${name}”`,
    delete: 'Delete',
    deleteOf: (name: string) => `Delete the view “${name}”`,
    deleteForAll: 'It disappears for everyone. The data stay.',
    deleted: (name: string) => `The view “${name}” was deleted.`,
    saveTitle: 'Save this view',
    renameTitle: 'Rename view',
    name: 'Name',
    nameMissing: 'Give the view a name.',
    forAll: 'Everyone who may open the dashboard sees it.',
    submit: 'Save',
    saved: (name: string) => `The view “${name}” was saved.`,
  },
};

export type DashboardTexts = typeof t;
