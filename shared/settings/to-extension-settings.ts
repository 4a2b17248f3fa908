import { asksPrivateContent } from '../probes/private-content.ts';
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
  const { probes } = settings;
  const journeys = probes?.schedule.filter(({ recording }) => recording) ?? [];
  return {
    version: settings.version,
    revision,
    targets: settings.targets,
    delivery: { intervalSeconds: settings.delivery?.intervalSeconds ?? DEFAULT_DELIVERY_SECONDS },
    ...(probes
      ? {
          probes: {
            ...probes,
            schedule: probes.schedule.filter((probe) => !probe.recording && !asksPrivateContent(probe)),
            ...(journeys.length > 0 ? { journeys } : {}),
          },
        }
      : {}),
    ...(typical.length > 0 ? { typical: [...typical] } : {}),
  };
}
