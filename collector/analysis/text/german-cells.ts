/** Values that fill a whole cell of the views' tables, by their name in JSON. */
export const GERMAN_CELLS: Readonly<Record<string, string>> = {
  Connect: 'Verbinden',
  Processing: 'Verarbeiten',
  Waiting: 'Warten',
  Total: 'Gesamt',
  yes: 'ja',
  no: 'nein',
  stable: 'gleich',
  varies: 'schwankt',
  page: 'Nutzer',
  probe: 'Testabruf',
  import: 'Import',
  '(hidden)': '(verborgen)',
  '(unknown)': '(unbekannt)',
  '(failed)': '(fehlgeschlagen)',
  failed: 'fehlgeschlagen',
};
