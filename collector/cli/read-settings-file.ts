import { text } from 'node:stream/consumers';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import {
  MAX_SETTINGS_BYTES,
  type SettingsVerdict,
  validateNewSettings,
} from '../../shared/settings/validate-settings.ts';
import { CommandFailure } from '../lib/failure.ts';
import { readText } from '../lib/read-text.ts';

/** A valid settings document from a file, or from standard input for `-`. Throws a CommandFailure with every problem. */
export async function readSettingsFile(file: string): Promise<Settings> {
  const verdict = await validateSettingsFile(file);
  if (verdict.ok) return verdict.settings;
  const [first, ...others] = verdict.problems;
  const also = others.map(({ path, message }) => `\n  also ${path || '/'} ${message}`).join('');
  throw new CommandFailure(`${file}: ${first?.path || '/'} ${first?.message}`, `${first?.hint ?? ''}${also}`);
}

/** The same without throwing for an invalid document. */
export async function validateSettingsFile(file: string): Promise<SettingsVerdict> {
  const content = await (file === '-' ? text(process.stdin) : readText(file));
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_SETTINGS_BYTES) {
    throw new CommandFailure(
      `${file} has ${bytes} bytes, more than the limit of ${MAX_SETTINGS_BYTES} for settings documents`,
      'Name fewer targets, or match them with fewer patterns.',
    );
  }
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch (error) {
    const where = error instanceof Error ? ` (${error.message.replace(/\s+/g, ' ')})` : '';
    throw new CommandFailure(`${file} is not JSON${where}`, 'Correct the file and try again.');
  }
  return validateNewSettings(document);
}
