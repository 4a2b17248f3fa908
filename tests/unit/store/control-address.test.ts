import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseControlAddress } from '../../../collector/storage/postgres/control-address.ts';
import { temporaryFolder } from '../../collector/temporary-folder.ts';

test('an address names user, password, host, port and database, encoded as in any URL', () => {
  expect(parseControlAddress('postgres://last%40byte:p%2Fw@localhost:5433/last%20byte')).toEqual({
    host: 'localhost',
    port: 5433,
    user: 'last@byte',
    password: 'p/w',
    database: 'last byte',
    ssl: false,
  });
  // The rest is libpq's to say: PGUSER, PGPASSWORD, PGPORT.
  expect(parseControlAddress('postgresql://[::1]/lastbyte')).toEqual({ host: '::1', database: 'lastbyte', ssl: false });
  expect(parseControlAddress('postgres://u@localhost/lastbyte?host=/var/run/postgresql')).toMatchObject({
    host: '/var/run/postgresql',
    ssl: false,
  });
});

test('other machines are reached over TLS with a verified certificate, unless the address says otherwise', async () => {
  const ca = join(await temporaryFolder(), 'ca.pem');
  await writeFile(ca, 'a certificate');
  const tlsOf = (rest: string) => parseControlAddress(`postgres://u@${rest}`).ssl;
  expect(tlsOf('db.example.com/lastbyte')).toBe(true);
  expect(tlsOf('127.0.0.1.example.com/lastbyte')).toBe(true);
  expect(tlsOf('10.0.0.1/lastbyte?sslmode=verify-full')).toBe(true);
  expect(tlsOf(`db.example.com/lastbyte?sslrootcert=${ca}`)).toEqual({ ca: 'a certificate' });
  expect(tlsOf(`localhost/lastbyte?sslrootcert=${ca}`)).toEqual({ ca: 'a certificate' });
  expect(tlsOf('db.example.com/lastbyte?sslmode=disable')).toBe(false);
  expect(tlsOf('127.0.0.2/lastbyte')).toBe(false);
});

test.each([
  ['lastbyte', 'is not the address of one PostgreSQL server'],
  ['mysql://u@h/lastbyte', 'is not the address of one PostgreSQL server'],
  ['postgres://u@h1:5432,h2:5432/lastbyte', 'is not the address of one PostgreSQL server'],
  ['postgres://u:secret@h', 'names no database'],
  ['postgres:///lastbyte', 'names no host'],
  ['postgres://u:100%secret@h/lastbyte', 'a % in it stands for no character'],
  ['postgres://u:secret@h/last%byte', 'a % in it stands for no character'],
  ['postgres://u:secret@h/lastbyte?ssl=true', 'parameter ssl is unknown'],
  ['postgres://u:secret@h/lastbyte?host=10.0.0.1&host=169.254.169.254', 'parameter host is there twice'],
  ['postgres://u:secret@h/lastbyte?sslmode=verify-full&sslmode=disable', 'parameter sslmode is there twice'],
  ['postgres://u:secret@h/lastbyte?host=', 'names no host'],
  ['postgres://u:secret@h/lastbyte?sslmode=require', 'sslmode=require does not prove'],
  ['postgres://u:secret@h/lastbyte?sslrootcert=/nowhere.pem', '/nowhere.pem cannot be read'],
])('%s is refused, without its password', (address, message) => {
  const refusal = expect.objectContaining({
    code: 'control_address_invalid',
    message: expect.stringContaining(message),
  });
  expect(() => parseControlAddress(address)).toThrow(refusal);
  expect(() => parseControlAddress(address)).not.toThrow('secret');
});
