/**
 * Every code with which a row of a batch can be rejected. Stable: codes are added, never renamed. docs/wire-format.md
 * describes each; a test keeps the two in sync.
 */
export const ROW_CODES = [
  'bad_at',
  'too_old',
  'in_future',
  'bad_target',
  'bad_host',
  'bad_scheme',
  'bad_template',
  'bad_type',
  'bad_protocol',
  'bad_source',
  'bad_connection',
  'bad_connection_evidence',
  'bad_handshake',
  'bad_handshake_evidence',
  'bad_excluded',
  'bad_error',
  'bad_response_mark',
  'bad_unknown',
  'bad_tls',
  'bad_journey',
  'bad_time',
  'negative_time',
  'phases_exceed_total',
  'reason_missing',
  'reason_without_null',
  'bad_status',
  'bad_size',
  'bad_idle',
  'bad_server_time',
  'bad_metric',
  'bad_step',
] as const;
export type RowCode = (typeof ROW_CODES)[number];

/**
 * Codes of numbers that a sample leaves out because they cannot be right: those it is complete without. Older collectors
 * rejected the whole row.
 */
export const IGNORED_VALUES = [
  'bad_size',
  'bad_idle',
  'bad_server_time',
  'bad_metric',
  'bad_step',
] as const satisfies RowCode[];
export type IgnoredValue = (typeof IGNORED_VALUES)[number];

/** Why a whole batch is refused once its bytes are there. */
export const BATCH_CODES = ['invalid_json', 'invalid_batch', 'unsupported_version', 'batch_too_large'] as const;
export type BatchCode = (typeof BATCH_CODES)[number];

/**
 * Codes of a batch that can never succeed: browsers drop it. With any other response from the collector or something in
 * between, it waits.
 */
export const DROPPED_BATCH_CODES = [
  'invalid_gzip',
  ...BATCH_CODES,
  'unsupported_media_type',
  'unsupported_encoding',
] as const;
