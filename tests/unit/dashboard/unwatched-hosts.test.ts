import { expect, test } from 'vitest';
import { unwatchedHosts } from '../../../collector/dashboard/model/unwatched-hosts.ts';

const TARGETS = [
  { id: 'erp', match: ['https://erp.example.com:8443/app/*'] },
  { id: 'all', match: ['*://*.corp.test/*'] },
  { id: 'new' },
];
const seen = (...hosts: string[]) => hosts.map((host, i) => ({ host, scheme: 'https', samples: i + 1 }));

test('hosts that no app has are offered, the most used first, whatever path or port its patterns have', () => {
  expect(unwatchedHosts(seen('cdn.example.net', 'erp.example.com', 'a.corp.test', 'api.example.com'), TARGETS)).toEqual(
    ['https://api.example.com/*', 'https://cdn.example.net/*'],
  );
  expect(unwatchedHosts([{ host: 'erp.example.com', scheme: 'http', samples: 1 }], TARGETS)).toEqual([]);
});

test('no more than five, and no name that stands for several', () => {
  expect(unwatchedHosts(seen('a.test', 'b.test', 'c.test', 'd.test', 'e.test', 'f.test'), [])).toHaveLength(5);
  expect(unwatchedHosts([...seen('(other)'), { host: null, scheme: null, samples: 9 }], [])).toEqual([]);
});
