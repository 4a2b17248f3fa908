import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { FilterChips } from '../../../collector/dashboard/app/filter-chips.tsx';
import { useMount } from './mount.tsx';
import { Navigable } from './navigable.tsx';

const client = {
  read: async () => ({ targets: [{ id: 'erp', name: 'Order desk' }] }),
} as unknown as ApiClient;

describe('the filters in force', () => {
  const mount = useMount();
  const { root } = mount;
  const chips = () => [...root.querySelectorAll('button')];
  const show = (search: string) =>
    mount.show(
      <Navigable search={search} more={{ client }}>
        <FilterChips />
      </Navigable>,
    );

  it('name the app, and say what is excluded', async () => {
    await show('?target=erp&type=document&not.site=Berlin');
    expect(chips().map((chip) => chip.getAttribute('aria-label'))).toEqual([
      'Remove filter Type: documents',
      'Remove filter App: Order desk',
      'Remove filter Site is not Berlin',
    ]);
  });

  it('are removed one by one, by pointer and by keyboard', async () => {
    await show('?site=Berlin&site=Lyon&not.type=image');
    await mount.act(() => chips()[0]?.click());
    expect(root.querySelector('output')?.textContent).toBe('?site=Lyon&not.type=image');
    const key = (name: string) =>
      Object.assign(
        new (root.ownerDocument.defaultView as Window & typeof globalThis).Event('keydown', { bubbles: true }),
        { key: name },
      );
    await mount.act(() => chips()[1]?.dispatchEvent(key('x')));
    expect(chips()).toHaveLength(2);
    await mount.act(() => chips()[1]?.dispatchEvent(key('Delete')));
    expect(root.querySelector('output')?.textContent).toBe('?site=Lyon');
    await mount.act(() => chips()[0]?.dispatchEvent(key('Backspace')));
    expect(root.querySelector('output')?.textContent).toBe('');
    expect(root.querySelector('.chips')).toBeNull();
  });
});
