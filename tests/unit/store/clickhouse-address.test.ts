import { expect, test } from 'vitest';
import { parseClickHouseAddress } from '../../../collector/storage/open-store.ts';

test('an address names a host, a database and perhaps a user and a port', () => {
  expect(parseClickHouseAddress('clickhouse://ch1/lastbyte')).toEqual({
    url: 'http://ch1:8123',
    user: 'default',
    password: '',
    database: 'lastbyte',
  });
  expect(parseClickHouseAddress('clickhouses://a%40b@[::1]:9440/own', 'secret')).toEqual({
    url: 'https://[::1]:9440',
    user: 'a@b',
    password: 'secret',
    database: 'own',
  });
});

test.each([
  ['clickhouse://ch1,ch2/lastbyte', 'ch1,ch2 is not the name of one host'],
  ['clickhouse://ch1:8123,ch2:8123/lastbyte', 'ch1:8123,ch2:8123 is not the name of one host'],
  ['clickhouse://ch1:99999/lastbyte', 'ch1:99999 is not the name of one host'],
  ['clickhouse://user:secret@ch1/lastbyte', 'contains a password'],
  ['clickhouse://ch1', 'cannot be read'],
  ['clickhouse://ch1/a.b', 'cannot be read'],
  ['http://ch1/lastbyte', 'cannot be read'],
])('%s is refused', (address, message) => {
  expect(() => parseClickHouseAddress(address)).toThrow(message);
});
