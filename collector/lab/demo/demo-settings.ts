import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { DEMO_APPS } from './demo-apps.ts';

/** Shortest there is: a demo should not make people wait. */
const DELIVERY_SECONDS = 1;

/** The settings document of the demo's collector: each app with pages of its own is a target. */
export const DEMO_SETTINGS: Settings = {
  version: 1,
  delivery: { intervalSeconds: DELIVERY_SECONDS },
  targets: DEMO_APPS.flatMap(({ target, scheme, host }) =>
    // Without the port: Firefox's match patterns have none, and both browsers then match every one.
    target === null ? [] : [{ ...target, match: [`${scheme}://${host}/*`], serverTimingMetrics: ['server', 'cpu'] }],
  ),
};
