/** The reader's word for a name; unknown ones, such as a newer collector's, are shown as they are. */
export function wordFor(table: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(table, word) ? (table[word] ?? word) : word;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
