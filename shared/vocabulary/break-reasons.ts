/** Why a step of a journey broke: docs/journeys.md. */
export const BREAK_REASONS = [
  'element_not_found',
  'not_visible',
  'covered',
  'disabled',
  'not_editable',
  'no_such_option',
  'unknown_key',
  'condition_not_met',
  'frame_not_found',
  'navigation_failed',
  'redirect_loop',
  'http_status',
  'sign_in_page',
  'wrong_page',
  'not_settled',
  'dialog',
  'file_chooser',
  'window_opened',
  'page_closed',
  'browser_quit',
  /** Another program acts here only by events that the page does not trust. */
  'untrusted_events',
] as const;
export type BreakReason = (typeof BREAK_REASONS)[number];
