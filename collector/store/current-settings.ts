import { EMPTY_SETTINGS, type Settings } from '../../shared/settings/settings-schema.ts';
import { validateSettings } from '../../shared/settings/validate-settings.ts';
import type { SettingsStore } from './store.ts';
import { StoreError } from './store-error.ts';

export interface CurrentSettings {
  /** 0 before anything was written. */
  readonly revision: number;
  readonly settings: Settings;
}

/** The settings in force. Throws a StoreError if what is stored is no settings document this version knows. */
export async function currentSettings(store: SettingsStore): Promise<CurrentSettings> {
  const stored = await store.read();
  if (stored === null) return { revision: 0, settings: EMPTY_SETTINGS };
  const verdict = validateSettings(stored.document);
  if (verdict.ok) return { revision: stored.revision, settings: verdict.settings };
  throw new StoreError(
    'settings_invalid',
    `the stored settings are not valid here: ${verdict.problems[0]?.path} ${verdict.problems[0]?.message}`,
    'Write a valid document with: lastbyte settings apply FILE',
  );
}
