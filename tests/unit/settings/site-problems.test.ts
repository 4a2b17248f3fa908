import { expect, test } from 'vitest';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';

const problems = (sites: unknown) => {
  const verdict = validateSettings({ version: 1, targets: [], sites });
  return verdict.ok ? [] : verdict.problems.map(({ path, code }) => [path, code]);
};

test('networks belong to one site each', () => {
  const berlin = { site: 'Berlin', networks: ['10.1.0.0/16', '2001:db8::/32'] };
  expect(problems([berlin, { site: 'VPN', networks: ['10.9.0.0/16'] }])).toEqual([]);
  expect(problems([berlin, { site: 'VPN', networks: ['10.1.0.0/16'] }])).toEqual([
    ['/sites/1/networks/0', 'repeated_network'],
  ]);
});

test('what is no network is refused at its place', () => {
  expect(problems([{ site: 'a', networks: ['10.1.0.0/16', '10.1.0.0'] }])).toEqual([
    ['/sites/0/networks/1', 'not_a_network'],
  ]);
  expect(problems([{ site: '', networks: [] }]).map(([path]) => path)).toEqual(['/sites/0/site', '/sites/0/networks']);
});
