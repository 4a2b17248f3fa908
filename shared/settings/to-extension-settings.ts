import {
  DEFAULT_DELIVERY_SECONDS,
  type ExtensionSettings,
  type Settings,
  type TypicalTime,
} from './settings-schema.ts';

/** The part of the settings that browsers receive. New parts of the document stay with the collector until listed here. */
export function toExtensionSettings(
  settings: Settings,
  revision: number,
  typical: readonly TypicalTime[] = [],
): ExtensionSettings {
  return {
    version: settings.version,
    revision,
    targets: settings.targets,
    delivery: { intervalSeconds: settings.delivery?.intervalSeconds ?? DEFAULT_DELIVERY_SECONDS },
    ...(settings.probes ? { probes: settings.probes } : {}),
    ...(typical.length > 0 ? { typical: [...typical] } : {}),
  };
}
