import { expect, test } from 'vitest';
import { createSiteByNetwork } from '../../../collector/ingest/site-by-network.ts';

const siteOf = createSiteByNetwork([
  { site: 'Company', networks: ['10.0.0.0/8', '2001:db8::/32'] },
  { site: 'Berlin', networks: ['10.1.0.0/16', '2001:db8:1::/48'] },
  { site: 'Lab', networks: ['10.1.2.3/32'] },
]);

test.each([
  ['10.1.2.3', 'Lab'],
  ['10.1.2.4', 'Berlin'],
  ['10.2.0.1', 'Company'],
  ['::ffff:10.1.2.4', 'Berlin'],
  ['2001:db8:1::7', 'Berlin'],
  ['2001:db8:2::7', 'Company'],
  ['192.0.2.1', null],
  ['::1', null],
])('%s is in the smallest network that contains it: %j', (address, site) => {
  expect(siteOf(address)).toBe(site);
});
