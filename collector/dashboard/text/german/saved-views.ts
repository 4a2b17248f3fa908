import type { DashboardTexts } from '../english/english.ts';

export const SAVED_VIEWS: DashboardTexts['savedViews'] = {
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
};
