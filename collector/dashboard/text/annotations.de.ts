import type { ANNOTATIONS as ENGLISH } from './annotations.ts';

export const ANNOTATIONS: typeof ENGLISH = {
  title: 'Anmerkung hinzufügen',
  text: 'Was ist passiert?',
  example: 'Release 4.2',
  at: 'Wann?',
  until: 'Bis (falls es länger dauerte)',
  about: 'Was betrifft es?',
  everything: 'Alles',
  app: (name) => `Die App ${name}`,
  host: (host) => `Den Host ${host}`,
  add: 'Hinzufügen',
  close: 'Schließen',
  added: (text) => `Die Anmerkung „${text}“ ist hinzugefügt.`,
  textMissing: 'Bitte angeben, was passiert ist.',
  timeMissing: 'Bitte Tag und Uhrzeit angeben.',
  existing: 'In diesem Zeitraum',
  delete: 'Löschen',
  reallyDelete: 'Wirklich löschen?',
  deleteOf: (text) => `„${text}“ löschen`,
  really: (text) => `„${text}“ wirklich löschen?`,
  deleted: (text) => `Die Anmerkung „${text}“ ist gelöscht.`,
};
