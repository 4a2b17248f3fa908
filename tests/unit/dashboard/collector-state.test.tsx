import { expect, it } from 'vitest';
import { CollectorState } from '../../../collector/dashboard/settings/collector-state.tsx';
import { useMount } from './mount.tsx';

const mount = useMount();
const { root } = mount;

async function show(answer: { readonly shared?: object | null; readonly backlog?: object | null }): Promise<void> {
  mount.client.query = (path) => ({
    key: path,
    read: async () => ({ shared: null, backlog: null, ...answer }) as never,
  });
  await mount.show(<CollectorState />);
}

it.each([
  [null, ''],
  [{ reachable: true, leads: true }, 'apply to all collectors. This collector runs alerts'],
  [{ reachable: true, leads: false }, 'apply to all collectors. Another collector runs alerts'],
  [{ reachable: false, leads: false }, 'apply to all collectors. PostgreSQL is unreachable'],
])('the settings page tells whom its settings apply to: %j', async (shared, text) => {
  await show({ shared });
  if (text === '') expect(root.textContent).toBe('');
  else expect(root.textContent).toContain(text);
  expect(root.querySelectorAll('.problem')).toHaveLength(shared?.reachable === false ? 1 : 0);
});

it.each([
  [{ samples: 0, bytes: 0, oldest: null }, 'Samples are kept in ClickHouse. None is waiting to be forwarded.'],
  [
    { samples: 12_345, bytes: 2_000_000, oldest: '2026-11-26T12:00:00.000Z' },
    /kept in ClickHouse\. 12,345 are waiting here to be forwarded \(1\.9 MB\), the oldest from Nov 26, 2026/,
  ],
])('the settings page tells how many samples wait for ClickHouse: %j', async (backlog, text) => {
  await show({ backlog });
  expect(root.textContent).toMatch(text);
});
