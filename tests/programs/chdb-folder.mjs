// @ts-check
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where tests look for chdb, which is not among the dependencies: it weighs 540 MB. LASTBYTE_CHDB names another folder. */
export function chdbFolder() {
  return process.env.LASTBYTE_CHDB ?? join(homedir(), '.cache', 'lastbyte-chdb');
}

/** What to say if it is absent; null if it is there. */
export function chdbAbsent() {
  const folder = chdbFolder();
  if (existsSync(join(folder, 'node_modules', 'chdb'))) return null;
  return `chdb is not in ${folder}; install it with: npm install --prefix ${folder} chdb@3.4.0`;
}
