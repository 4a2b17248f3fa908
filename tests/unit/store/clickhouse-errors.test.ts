import { expect, test } from 'vitest';
import { translateError } from '../../../collector/storage/clickhouse/translate-error.ts';

test.each([
  ['516', 'lastbyte: Authentication failed', 'samples_refused', '(516)', 'LASTBYTE_CLICKHOUSE_PASSWORD'],
  ['81', 'Database lastbite does not exist', 'samples_refused', 'does not have the database', 'CREATE DATABASE'],
  ['164', "Cannot modify 'readonly' setting in readonly mode", 'samples_refused', 'profile', 'without readonly'],
  ['243', 'Cannot reserve 1.00 MiB', 'samples_refused', 'full', 'Free space'],
  ['ECONNREFUSED', '', 'samples_unreachable', '(ECONNREFUSED)', 'Check the host'],
  ['EPROTO', 'wrong version number', 'samples_unreachable', '(EPROTO)', 'clickhouses://'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', '', 'samples_unreachable', 'SELF_SIGNED', 'NODE_EXTRA_CA_CERTS'],
  ['115', 'Unknown setting async_insert', 'samples_refused', 'lacks a setting', 'docs/scale.md'],
  ['279', 'All connection tries failed', 'samples_unreachable', 'a replica', 'system.replicas'],
  ['62', 'Syntax error', 'store_failed', '(62)', 'in the log'],
])('ClickHouse %s, %s: the error names the likely fix', (code, text, storeCode, message, hint) => {
  const error = translateError({ code, message: text }, false);
  expect(error.code).toBe(storeCode);
  expect(error.message).toContain(message);
  expect(error.hint).toContain(hint);
});

test('a missing privilege is named', () => {
  const message =
    "lb: Not enough privileges. To execute this query, it's necessary to have the grant ALTER DELETE ON lb.client. ";
  expect(translateError({ code: '497', message }, false).message).toContain('(ALTER DELETE ON lb.client)');
});

test('only a question can be too large', () => {
  expect(translateError({ code: '241', message: '' }, true).code).toBe('answer_too_large');
  expect(translateError({ code: '241', message: '' }, false).code).toBe('store_failed');
});
