import { expect, it } from 'vitest';
import { useChangeMarks } from '../../../collector/dashboard/annotations/use-change-marks.ts';
import { parseViewState } from '../../../collector/dashboard/state/view-state.ts';
import { useMount } from './mount.tsx';

const mount = useMount();

function Shown({ host }: { readonly host?: string }) {
  return <p>{JSON.stringify(useChangeMarks(host).map(({ text }) => text))}</p>;
}

it('marks the lasting changes in the charts over time: all of the view, and those of a host on its page', async () => {
  const change = (host: string, since: string, difference: number) => ({
    host,
    since,
    sinceInterval: [since, since],
    direction: 'slower',
    difference,
    requests: 100,
  });
  mount.client.query = () => ({ key: '/apps', read: async () => ({ targets: [] }) as never });
  mount.client.read = async () =>
    ({
      targets: [],
      changes: [change('a.test', '2026-03-10', 46), change('b.test', '2026-03-15', 12)],
    }) as never;
  const state = parseViewState('?from=2026-03-01T00:00:00Z&to=2026-03-20T00:00:00Z');
  await mount.show(<Shown />, { state });
  expect(mount.root.textContent).toBe('["+46 ms a.test","+12 ms b.test"]');
  await mount.show(<Shown host="a.test" />, { state });
  expect(mount.root.textContent).toBe('["+46 ms"]');
});
