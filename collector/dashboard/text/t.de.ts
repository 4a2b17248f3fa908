import { GERMAN } from '../../analysis/text/german.ts';
import { GERMAN_CELLS } from '../../analysis/text/german-cells.ts';
import { APP } from './app.de.ts';
import { CHARTS } from './charts.de.ts';
import { COMPONENTS } from './components.de.ts';
import { OVERVIEW } from './overview.de.ts';
import type { DashboardTexts } from './t.ts';

const { count } = GERMAN.numbers;

/** See `t.ts`. */
export const t: DashboardTexts = {
  ...GERMAN,
  units: {
    justNow: 'gerade eben',
    secondsAgo: (n) => `vor ${n} s`,
    minutesAgo: (n) => `vor ${n} min`,
    hoursAgo: (n) => `vor ${n} h`,
    daysAgo: (n) => (n === 1 ? 'vor einem Tag' : `vor ${count(n)} Tagen`),
  },
  values: {
    cells: GERMAN_CELLS,
    groupSources: { page: 'Nutzer', probe: 'Testabrufe', import: 'importierte Aufzeichnungen' },
    sources: {
      page: 'Nutzer',
      'probe-script': 'Testabrufe: Skripte',
      'probe-http-new': 'Testabrufe: HTTP, neue Verbindung',
      'probe-http-reused': 'Testabrufe: HTTP, bestehende Verbindung',
      'probe-https-reused': 'Testabrufe: HTTPS, bestehende Verbindung',
      'probe-https-new': 'Testabrufe: HTTPS, alles neu',
      har: 'importierte Aufzeichnungen',
    },
  },
  app: APP,
  components: COMPONENTS,
  charts: CHARTS,
  overview: OVERVIEW,
  savedViews: {
    title: 'Gespeicherte Ansichten',
    none: 'Noch ist keine Ansicht gespeichert.',
    save: 'Diese Ansicht speichern …',
    rename: 'Umbenennen',
    renameOf: (name) => `Ansicht „${name}“ umbenennen`,
    delete: 'Löschen',
    deleteOf: (name) => `Ansicht „${name}“ löschen`,
    deleteForAll: 'Sie verschwindet für alle. Die Daten bleiben erhalten.',
    deleted: (name) => `Die Ansicht „${name}“ ist gelöscht.`,
    saveTitle: 'Diese Ansicht speichern',
    renameTitle: 'Ansicht umbenennen',
    name: 'Name',
    nameMissing: 'Bitte einen Namen angeben.',
    forAll: 'Alle, die das Dashboard öffnen dürfen, sehen sie.',
    submit: 'Speichern',
    saved: (name) => `Die Ansicht „${name}“ ist gespeichert.`,
  },
};
