import { describe, expect, it, vi } from 'vitest';
import type { ApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { FilterChips, FilterControl } from '../../../collector/dashboard/app/filter-control.tsx';
import { useMount } from './mount.tsx';
import { Navigable } from './navigable.tsx';

const client = {
  summary: async () => ({ cells: [{ site: 'Berlin', samples: 9 }] }),
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

  it('are added by one button, which asks for the dimension and then for its values', async () => {
    const nothing = () => {};
    vi.stubGlobal('window', {
      innerWidth: 1280,
      innerHeight: 800,
      addEventListener: nothing,
      removeEventListener: nothing,
    });
    Object.assign(Object.getPrototypeOf(root.ownerDocument.createElement('div')), {
      showPopover: nothing,
      getBoundingClientRect: () => ({ left: 0, bottom: 0 }),
    });
    await mount.show(
      <Navigable search="?type=document" more={{ client }}>
        <FilterControl />
      </Navigable>,
    );
    expect(root.querySelectorAll('[data-add-filter]')).toHaveLength(1);
    expect(root.querySelectorAll('[data-filter]')).toHaveLength(0);
    await mount.press('+Add filter');
    expect(root.querySelector('[role=dialog]')?.getAttribute('aria-label')).toBe('Add filter');
    await mount.press('Site');
    expect(root.querySelector('[role=dialog]')?.getAttribute('aria-label')).toBe('Filter by site');
    await mount.act(() =>
      root
        .querySelector('.choice input')
        ?.dispatchEvent(new (root.ownerDocument.defaultView as Window & typeof globalThis).Event('change')),
    );
    expect(root.querySelector('output')?.textContent).toBe('?type=document&site=Berlin');
    await mount.press('Other filter');
    expect(root.querySelectorAll('[data-filter]').length).toBeGreaterThan(9);
  });
});
