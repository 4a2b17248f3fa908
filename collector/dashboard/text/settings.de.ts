import type { SettingsTexts } from './english/settings.ts';
import { SETTINGS } from './german/settings.ts';

/** See `settings.ts`. */
export const texts: SettingsTexts = SETTINGS;
