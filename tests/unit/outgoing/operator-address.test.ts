import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { explain } from '../../../collector/cli/run-command.ts';
import { checkAddress } from '../../../collector/cli/store-option.ts';
import { checkOperatorAddress } from '../../../collector/outgoing/operator-address.ts';

/** As the system resolves: an address is itself. Nothing is connected, and no real resolver is asked. */
const lookUp = (names: Readonly<Record<string, string>>) => async (host: string) => {
  const address = isIP(host) === 0 ? names[host] : host;
  if (address === undefined) throw new Error('ENOTFOUND');
  return [{ address }];
};
const check = (host: string, names = {}) => checkOperatorAddress('--samples', host, lookUp(names));

test.each([
  '169.254.169.254',
  '169.254.0.1',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.16689662',
  'fe80::1',
  'fe80::1%eth0',
  '[fe80::1]',
  'febf::1',
  'fd00:ec2::254',
  'fd00:0ec2:0:0:0:0:0:0254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '224.0.0.1',
  '0.0.0.0',
])('%s is refused, and the option is named', async (host) => {
  await expect(check(host)).rejects.toMatchObject({
    message: expect.stringContaining(`--samples leads to ${host}`),
    hint: expect.stringContaining('metadata'),
  });
});

test.each(['127.0.0.1', '[::1]', '10.0.0.1', '192.168.1.2', 'fd12::1', '93.184.215.14', '/var/run/postgresql'])(
  '%s is allowed',
  async (host) => {
    await expect(check(host)).resolves.toBeUndefined();
  },
);

test('a name counts as what it resolves to, and an unknown one is left to the connection', async () => {
  const names = { 'metadata.internal': '169.254.169.254', 'db.internal': '10.0.0.1' };
  await expect(check('metadata.internal', names)).rejects.toMatchObject({
    message: expect.stringContaining('metadata.internal (169.254.169.254)'),
  });
  await expect(check('db.internal', names)).resolves.toBeUndefined();
  await expect(check('nowhere.internal', names)).resolves.toBeUndefined();
});

test.each([
  ['--control', 'postgres://u@169.254.169.254/lastbyte'],
  ['--control', 'postgres://u@2852039166:5432/lastbyte'],
  ['--control', 'postgres://u@[fe80::1]/lastbyte'],
  ['--control', 'postgres://u@localhost/lastbyte?host=169.254.169.254'],
  ['--control', 'postgres://u@10.0.0.1/lastbyte?host=fd00:ec2::254'],
  ['--samples', 'http://169.254.169.254:8123'],
  ['--samples', 'http://169.254.169.254:8123/?host=10.0.0.1'],
  ['--proxy', 'socks5://169.254.169.254:1080'],
  ['--otlp', 'https://[::ffff:169.254.169.254]:4318/'],
])('the host of %s %s is refused', async (option, address) => {
  const failure = await checkAddress(option, address).catch((error: unknown) => error);
  expect(explain(failure)).toMatch(new RegExp(`^lastbyte: ${option} leads to .*metadata`));
});
