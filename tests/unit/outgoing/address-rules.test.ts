import { expect, test } from 'vitest';
import { addressRules, parseRange } from '../../../collector/outgoing/address-rules.ts';

const rules = (allow: string[] = [], deny: string[] = []) => addressRules({ allow, deny });

test.each([
  ['unspecified', '0.0.0.0', '0.1.2.3', '::', '0:0:0:0:0:0:0:0'],
  ['loopback', '127.0.0.1', '127.255.0.9', '::1', '0:0:0:0:0:0:0:1'],
  ['link-local', '169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  ['metadata', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'FD00:EC2:0:0::254', 'fd20:ce::254'],
  ['multicast, reserved, broadcast', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1'],
  ['IPv4-mapped', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:a9fe:a9fe', '::FFFF:127.0.0.1'],
  [
    'NAT64, 6to4, IPv4-compatible',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::169.254.169.254',
    '2002:7f00:1::',
    '::169.254.169.254',
  ],
  [
    'local-use NAT64, Teredo',
    '64:ff9b:1::a9fe:a9fe',
    '64:ff9b:1:5db8:d8:2200::',
    '2001::1',
    '2001:0:5db8:d822::a247:27dd',
  ],
  ['IPv4-translated, ISATAP', '::ffff:0:169.254.169.254', 'fd00::5efe:127.0.0.1', '2606:2800:220:1:200:5efe:7f00:1'],
  ['what is no address', '', 'localhost', '2852039166', '0x7f.1', '127.1', '10.0.0.0/8'],
])('%s: refused', (_, ...addresses) => {
  expect(addresses.filter((address) => rules().allows(address))).toEqual([]);
});

test('everything else is allowed, private networks too', () => {
  const addresses = ['10.1.2.3', '172.16.0.1', '192.168.1.1', '93.184.216.34', '100.64.0.1', '100.100.100.201'];
  const six = [
    'fd12::1',
    '2606:2800:220:1::1',
    '::ffff:10.0.0.1',
    '64:ff9b::5db8:d822',
    '2002:5db8:d822::1',
    '2001:4860::1',
  ];
  expect([...addresses, ...six].filter((address) => !rules().allows(address))).toEqual([]);
});

test('the longest prefix decides; of equal ones a denial', () => {
  const relay = rules(['127.0.0.1']);
  expect(relay.allows('127.0.0.1')).toBe(true);
  expect(relay.allows('::ffff:127.0.0.1')).toBe(true);
  expect(relay.allows('127.0.0.2')).toBe(false);
  expect(relay.allows('::1')).toBe(false);
  const only = rules(['10.20.0.0/16', 'fd00:20::/32'], ['0.0.0.0/0', '::/0']);
  expect(['10.20.1.1', 'fd00:20::5'].every(only.allows)).toBe(true);
  expect(['10.21.1.1', '93.184.216.34', 'fd00:21::5', '::ffff:10.21.1.1'].some(only.allows)).toBe(false);
  // Too wide to lift what is refused by default.
  expect(rules(['0.0.0.0/0', '::/0']).allows('169.254.169.254')).toBe(false);
  expect(rules(['127.0.0.0/8']).allows('127.0.0.1')).toBe(true);
  expect(rules(['127.0.0.0/8'], ['127.0.0.0/8']).allows('127.0.0.1')).toBe(false);
});

test('a range that carries IPv4 may be allowed, and what it carries is judged all the same', () => {
  const local = rules(['64:ff9b:1::/48', '2001::/32'], ['10.0.0.0/8']);
  expect(local.allows('64:ff9b:1::93.184.216.34')).toBe(true);
  expect(local.allows('64:ff9b:1::10.1.2.3')).toBe(false);
  // Teredo: the server's address, and the client's with its bits turned over.
  expect(local.allows('2001:0:5db8:d822:0:0:a247:27dd')).toBe(true);
  expect(local.allows('2001:0:5db8:d822:0:0:f5fe:fdfc')).toBe(false);
  expect(local.allows('2001:0:0a01:203:0:0:a247:27dd')).toBe(false);
  const denied = rules([], ['10.0.0.0/8']);
  const inside = ['64:ff9b::10.1.2.3', '2002:a01:203::1', '::10.1.2.3', 'fd00::5efe:10.1.2.3', '::ffff:0:10.1.2.3'];
  expect(inside.filter(denied.allows)).toEqual([]);
});

test.each([
  '',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '10.0.0.0/0x8',
  'fd00::/129',
  'fe80::1%eth0',
  'host',
  '::ffff:10.0.0.0/104',
])('%j is no range', (text) => {
  expect(() => parseRange(text)).toThrow(RangeError);
});
