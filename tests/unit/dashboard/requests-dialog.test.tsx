import { expect, it } from 'vitest';
import type { SummaryCell } from '../../../collector/analysis/summary/summary-document.ts';
import { Empty } from '../../../collector/dashboard/components/states.tsx';
import { Requests } from '../../../collector/dashboard/host/requests.tsx';
import { useMount } from './mount.tsx';
import { Navigable } from './navigable.tsx';

const mount = useMount();
const { root } = mount;

const sample = (template: string, wait: number) => ({
  id: null,
  at: '2026-03-01T09:00:00.000Z',
  template,
  site: 'Berlin',
  connection: 'reused',
  ttfb: wait,
  ttlb: wait + 2,
  status: 200,
  phases: { blocked: 0, dns: null, tcp: null, tls: null, wait, receive: 2 },
});

it('says whose requests it shows, explains their colours, copies them, and asks for one path', async () => {
  const nothing = () => {};
  Object.assign(Object.getPrototypeOf(root.ownerDocument.createElement('div')), { showModal: nothing, close: nothing });
  const asked: string[] = [];
  const client = {
    read: async (path: string) => {
      asked.push(path);
      return { samples: [sample('/orders', 90), sample('/login', 40)], matching: 2, withheld: [], method: {} };
    },
  };
  const about = { host: 'erp.test', type: 'document', kind: 'document', cell: {} as SummaryCell, of: '' };
  await mount.show(
    <Navigable
      search="?page=erp.test&requests=min%3D10%26template%3D%2Forders%26host%3Dother.test"
      more={{ client: client as never }}
    >
      <Requests about={about} />
    </Navigable>,
  );
  expect(root.querySelector('h2')?.textContent).toBe('Requests: erp.test, documents');
  expect(root.querySelector('.legend')?.textContent).toContain('Wait');
  expect(root.querySelectorAll('[aria-label*="Requests"].tool')).toHaveLength(2);
  const paths = root.querySelector('#requests-path');
  expect([...(paths?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent)).toEqual([
    'all',
    '/login',
    '/orders',
  ]);
  expect(new URLSearchParams(asked.at(-1)?.split('?')[1]).get('template')).toBe('/orders');
  expect(new URLSearchParams(asked.at(-1)?.split('?')[1]).getAll('host')).toEqual(['erp.test']);
});

it('says what an empty range has nothing about', async () => {
  mount.client.query = () => ({ key: '/apps', read: async () => ({ targets: [] }) as never });
  mount.client.read = async () => ({ targets: [] }) as never;
  await mount.show(
    <Navigable search="?page=erp.test&not.site=Berlin">
      <Empty method={{} as never} />
    </Navigable>,
  );
  expect(root.querySelector('.state')?.textContent).toContain(
    'Nothing in the last 24 hours matches: erp.test, Site is not Berlin.',
  );
});
