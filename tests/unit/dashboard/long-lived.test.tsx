import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../collector/dashboard/api/api-error.ts';
import { LongLived } from '../../../collector/dashboard/overview/long-lived.tsx';
import { parseViewState } from '../../../collector/dashboard/state/view-state.ts';
import { useMount } from './mount.tsx';

const CELL = { host: 'shop.example.com', samples: 1200 };
const PATHS = [
  { ...CELL, template: '/poll' },
  { ...CELL, template: '/stream' },
];

describe('long-lived requests', () => {
  const mount = useMount();
  const asked: string[] = [];

  async function show(search: string, answer: (by: string | null) => object | Promise<never>): Promise<string | null> {
    asked.length = 0;
    mount.client.read = async (path: string) => {
      const query = new URLSearchParams(path.slice(path.indexOf('?')));
      asked.push(`${query.get('by')} ${query.getAll('type')} ${query.get('not.type')}`);
      return (await answer(query.get('by'))) as never;
    };
    await mount.show(<LongLived />, { state: parseViewState(search) });
    return mount.root.textContent;
  }

  it('are named, counted and one click away', async () => {
    const paths = { cells: PATHS, leftOut: { cells: 2, samples: 9 } };
    expect(await show('?not.type=image', (by) => (by === 'host' ? { cells: [CELL] } : paths))).toBe(
      '1,200 long-lived requests (shop.example.com/poll, shop.example.com/stream and 2 more) are left out of these numbers. Show them',
    );
    expect(asked).toEqual(['host long_lived null', 'host,template long_lived null']);
  });

  it('take no reading of samples where there are none', async () => {
    expect(await show('', () => ({ cells: [] }))).toBe('');
    expect(asked).toEqual(['host long_lived null']);
  });

  it('are named by host where samples are no longer kept', async () => {
    const expired = () => Promise.reject(new ApiError(400, 'samples_expired', '', ''));
    expect(await show('?site=Porto', (by) => (by === 'host' ? { cells: [CELL] } : expired()))).toContain(
      '1,200 long-lived requests (shop.example.com) are left out',
    );
  });

  it('are not asked for where the view names its types', async () => {
    expect(await show('?type=fetch', () => ({ cells: [CELL] }))).toBe('');
    expect(asked).toEqual([]);
  });
});
