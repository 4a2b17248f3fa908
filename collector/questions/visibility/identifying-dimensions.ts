import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';

/**
 * What could identify a person: their location, what they open, their browser, and anything that may be constant for one
 * browser, such as the protocol behind an HTTP/1.1 proxy or a probe that only one browser runs.
 */
const IS_IDENTIFYING: Readonly<Record<AnyDimension, boolean>> = {
  target: true,
  site: true,
  host: true,
  template: true,
  browser: true,
  scheme: true,
  protocol: true,
  source: true,
  journey: true,
  journeyStep: true,
  type: false,
  connection: false,
  scenario: false,
  // Not shown to viewers.
  handshake: false,
  browserVersion: false,
  extension: false,
};

/** Viewers see single samples only of groups by all of these that have enough browsers. */
export const IDENTIFYING_DIMENSIONS = (Object.keys(IS_IDENTIFYING) as AnyDimension[]).filter(
  (name) => IS_IDENTIFYING[name],
);
