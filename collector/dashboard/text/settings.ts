import { SETTINGS, type SettingsTexts } from './english/settings.ts';

export type { FieldText } from './english/settings.ts';

/** The texts of the settings, apart from `t.ts` so that only the settings load them. */
export const texts: SettingsTexts = SETTINGS;
