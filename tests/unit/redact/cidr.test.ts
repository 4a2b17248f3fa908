import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { parseCidr } from '../../../shared/redact/cidr.ts';

test.each([
  ['10.1.0.0/16', 'ipv4', 16],
  ['0.0.0.0/0', 'ipv4', 0],
  ['192.0.2.1/32', 'ipv4', 32],
  ['2001:db8::/32', 'ipv6', 32],
  ['::/0', 'ipv6', 0],
  ['2001:DB8:1:2:3:4:5:6/128', 'ipv6', 128],
  ['::ffff:10.1.0.0/112', 'ipv6', 112],
] as const)('%s is a network, for Node too', (text, family, prefix) => {
  const cidr = parseCidr(text);
  expect(cidr).toMatchObject({ family, prefix });
  expect(() => new BlockList().addSubnet(cidr?.address ?? '', prefix, family)).not.toThrow();
});

test.each(['2001:DB8::', '2001:0db8:0:0:0:0:0:0', '2001:db8:0::0'])('%s/32 is 2001:db8::/32', (address) => {
  expect(parseCidr(`${address}/32`)).toEqual({ address: '2001:db8::', prefix: 32, family: 'ipv6' });
});

test.each([
  '10.1.0.0',
  '10.1.0.0/33',
  '10.1.0.0/-1',
  '10.1.0.0/016',
  '10.1.0.0/16/8',
  '10.1.0/16',
  '10.1.0.256/16',
  '10.01.0.0/16',
  '2001:db8::/129',
  '2001:db8:::/32',
  'fe80::1%eth0/64',
  'example.com/16',
  '/16',
  '',
  '10.1.0.0/',
])('%j is not', (text) => {
  expect(parseCidr(text)).toBeNull();
});
