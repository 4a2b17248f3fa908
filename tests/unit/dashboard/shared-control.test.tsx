import { expect, it } from 'vitest';
import { SharedControl } from '../../../collector/dashboard/settings/shared-control.tsx';
import { useMount } from './mount.tsx';

const mount = useMount();
const { root } = mount;

it.each([
  [null, ''],
  [{ reachable: true, leads: true }, 'apply to all collectors. This collector runs alerts'],
  [{ reachable: true, leads: false }, 'apply to all collectors. Another collector runs alerts'],
  [{ reachable: false, leads: false }, 'apply to all collectors. PostgreSQL is unreachable'],
])('the settings page tells whom its settings apply to: %j', async (shared, text) => {
  mount.client.query = (path) => ({ key: path, read: async () => ({ shared }) as never });
  await mount.show(<SharedControl />);
  if (text === '') expect(root.textContent).toBe('');
  else expect(root.textContent).toContain(text);
  expect(root.querySelectorAll('.problem')).toHaveLength(shared?.reachable === false ? 1 : 0);
});
