import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';

/** Headings of dimensions on the screen and in English reports; the German ones stand with the other German words. */
export const DIMENSION_LABELS: Readonly<Record<AnyDimension, string>> = {
  host: 'Host',
  type: 'Type',
  connection: 'Connection',
  protocol: 'Protocol',
  scheme: 'Scheme',
  scenario: 'Scenario',
  handshake: 'Handshake',
  source: 'Source',
  site: 'Site',
  target: 'Target',
  template: 'Page',
  browser: 'Browser',
  browserVersion: 'Browser version',
  extension: 'Extension',
};
