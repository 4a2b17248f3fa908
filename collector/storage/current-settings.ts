import { withCanonicalHosts } from '../../shared/settings/canonical-hosts.ts';
import { EMPTY_SETTINGS, type Settings } from '../../shared/settings/settings-schema.ts';
import { validateSettings } from '../../shared/settings/validate-settings.ts';
import type { SettingsStore, StoredSettings } from './store.ts';
import { StoreError } from './store-error.ts';

export interface CurrentSettings {
  /** 0 before the first write. */
  readonly revision: number;
  /** In force: hosts in the form in which samples name them. */
  readonly settings: Settings;
  /** As typed. */
  readonly document: Settings;
}

/** Validated documents: every question, poll and alert needs the settings, which change about once a week. */
const known = new WeakMap<StoredSettings, CurrentSettings>();

/** The settings in force. Throws a StoreError if the stored document is not one that this version can read. */
export async function currentSettings(store: Pick<SettingsStore, 'read'>): Promise<CurrentSettings> {
  const stored = await store.read();
  if (stored === null) return { revision: 0, settings: EMPTY_SETTINGS, document: EMPTY_SETTINGS };
  const before = known.get(stored);
  if (before !== undefined) return before;
  const verdict = validateSettings(stored.document);
  if (verdict.ok) {
    const document = verdict.settings;
    const current = { revision: stored.revision, settings: withCanonicalHosts(document), document };
    known.set(stored, current);
    return current;
  }
  throw new StoreError(
    'settings_invalid',
    `the stored settings are not valid here: ${verdict.problems[0]?.path} ${verdict.problems[0]?.message}`,
    'Write a valid document with: lastbyte settings apply FILE',
  );
}
