import { expect, test, vi } from 'vitest';
import type { Mark } from '../../../collector/charts/drawing.ts';
import { useHiddenSeries } from '../../../collector/dashboard/components/chart.tsx';
import { ChartMarks } from '../../../collector/dashboard/components/chart-marks.tsx';
import { Legend } from '../../../collector/dashboard/components/legend.tsx';
import { useMount } from './mount.tsx';

const mount = useMount();
const HOUR = 3_600_000;

const MARKS: readonly Mark[] = [0, 1, 2].map((hour) => ({
  box: { x: 10 * hour, y: 0, width: 10, height: 100 },
  title: `hour ${hour}`,
  lines: [{ label: 'median', value: `${80 + hour} ms` }],
  range: { from: hour * HOUR, to: (hour + 1) * HOUR },
  requests: { min: String(hour) },
}));

const slider = () => {
  const found = mount.root.querySelector('[role="slider"]');
  if (found === null) throw new Error('There is no slider.');
  return found;
};
const tip = () => mount.root.querySelector('.mark-tip')?.textContent ?? null;

async function press(key: string, shiftKey = false): Promise<boolean> {
  const event = mount.root.ownerDocument.createEvent('Event');
  event.initEvent('keydown', true, true);
  Object.assign(event, { key, shiftKey });
  await mount.act(() => void slider().dispatchEvent(event));
  return event.defaultPrevented;
}

function show() {
  const open = vi.fn();
  const zoom = vi.fn();
  vi.stubGlobal('window', { innerHeight: 800 });
  return mount
    .show(<ChartMarks title="Over time" marks={MARKS} open={open} zoom={zoom} />)
    .then(() => ({ open, zoom }));
}

test('arrow keys move along the marks, and screen readers and the tooltip say the same', async () => {
  await show();
  expect(slider().getAttribute('aria-valuetext')).toBe('hour 0: median 80 ms');
  expect(tip()).toBeNull();
  await press('ArrowRight');
  expect(slider().getAttribute('aria-valuenow')).toBe('2');
  expect(slider().getAttribute('aria-valuetext')).toBe('hour 1: median 81 ms');
  expect(tip()).toContain('hour 1');
  expect(tip()).toContain('81 ms');
  await press('Escape');
  expect(tip()).toBeNull();
});

test('Enter opens a mark', async () => {
  const { open, zoom } = await show();
  await press('End');
  expect(await press('Enter')).toBe(true);
  expect(open).toHaveBeenCalledWith(MARKS[2]);
  expect(zoom).not.toHaveBeenCalled();
});

test('Shift and arrow keys select a time, Enter zooms into it, Escape drops it', async () => {
  const { open, zoom } = await show();
  await press('ArrowRight', true);
  await press('ArrowRight', true);
  expect(slider().getAttribute('aria-valuetext')).toContain('Selected');
  await press('Escape');
  expect(slider().getAttribute('aria-valuetext')).toBe('hour 2: median 82 ms');
  await press('ArrowLeft', true);
  await press('Enter');
  expect(zoom).toHaveBeenCalledWith({ from: HOUR, to: 3 * HOUR });
  expect(open).not.toHaveBeenCalled();
});

test('keys without a meaning are left to the page', async () => {
  await show();
  expect(await press('Tab')).toBe(false);
});

function Switches() {
  const [hidden, toggle] = useHiddenSeries('Over time');
  return (
    <>
      <Legend
        items={[
          { label: 'p95', colour: '--phase-wait', series: 'p95' },
          { label: 'no probe', colour: '--hover' },
        ]}
        hidden={hidden}
        toggle={toggle}
      />
      <p>{[...hidden].join()}</p>
    </>
  );
}

test('the legend switches a series off, also for the chart that replaces this one', async () => {
  const state = () => mount.root.querySelector('button')?.getAttribute('aria-pressed');
  await mount.show(<Switches key="one" />);
  expect(mount.root.querySelectorAll('button')).toHaveLength(1);
  expect(state()).toBe('true');
  await mount.press('p95');
  expect([state(), mount.root.querySelector('p')?.textContent]).toEqual(['false', 'p95']);
  await mount.show(<Switches key="two" />);
  expect(state()).toBe('false');
  await mount.press('p95');
  expect(state()).toBe('true');
});
