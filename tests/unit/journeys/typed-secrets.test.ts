import { expect, test } from 'vitest';
import { cleanAddress, isPlain, secretKind, type TypedField } from '../../../shared/journeys/typed-secrets.ts';

const FIELD: TypedField = { type: 'text', autocomplete: '', names: '', maxLength: -1, wasPassword: false };

test.each<[string, Partial<TypedField>, ReturnType<typeof secretKind>]>([
  ['x', { type: 'password' }, 'password'],
  ['x', { wasPassword: true }, 'password'],
  ['x', { autocomplete: 'new-password' }, 'password'],
  ['x', { names: 'userPassword' }, 'password'],
  ['x', { names: 'Kennwort' }, 'password'],
  ['abc', { autocomplete: 'one-time-code' }, 'code'],
  ['7', { maxLength: 1 }, 'code'],
  ['12 34 56', { names: 'sms_code' }, 'code'],
  ['4711', { names: 'PIN' }, 'code'],
  ['4111-1111-1111-1111', {}, 'card'],
  ['4111111111111112', {}, 'number'],
  ['Jo Doe', { autocomplete: 'cc-name' }, 'card'],
  ['12', { names: 'CVC' }, 'card'],
  ['write to jo@example', {}, 'email'],
  ['robot', { names: 'username' }, 'user'],
  ['2026-11-28', { type: 'date' }, 'date'],
  ['0151 2345678', {}, 'number'],
  ['order 4711', {}, 'text'],
  ['{{name}}', {}, 'text'],
  ['a'.repeat(30), {}, 'text'],
  ['word '.repeat(20), {}, 'text'],
  ['Bolts, 12 mm', {}, null],
  ['Berlin', { names: 'postcode shipping' }, null],
  ['', { type: 'password' }, null],
])('%j in a field %j', (value, field, kind) => {
  expect(secretKind(value, { ...FIELD, ...field })).toBe(kind);
});

test.each([
  ['https://a.test/orders/4711?sap-client=800&lang=de', 'https://a.test/orders/4711?sap-client=800&lang=de'],
  ['https://a.test/?q=jo%40example.com&page=2', 'https://a.test/?page=2'],
  ['https://a.test/?code=123456&session=main&n=12345678901', 'https://a.test/'],
  ['https://a.test/?t=aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ', 'https://a.test/'],
  ['https://a.test/#/orders/4711', 'https://a.test/#/orders/4711'],
  ['https://a.test/#access_token=abc', 'https://a.test/'],
  ['https://a.test/#/jo@example.com', 'https://a.test/'],
  ['https://a.test/reset/9f86d081884c7d659a2feaa0c55ad015', 'https://a.test/reset/{hash}'],
  ['https://a.test/u/jo@example.com/Order%20list', 'https://a.test/u/{email}/Order%20list'],
  ['https://a.test/pay/4111-1111-1111-1111', 'https://a.test/pay/{n}-{n}-{n}-{n}'],
  ['https://a.test/find/SESAME?word=Sesame#Sesame', 'https://a.test/find/{text}'],
])('of %s a recording opens %s', (address, clean) => {
  expect(cleanAddress(new URL(address), { password: 'Sesame' })).toBe(clean);
});

test('a text with something typed in secret is not plain, nor is one that looks like data', () => {
  expect(
    ['Save', 'Hello  SESAME', 'Order 4711', 'Jo <jo@example.com>'].map((each) => isPlain(each, { a: 'Sesame' })),
  ).toEqual([...[true, false, false, false]]);
});
