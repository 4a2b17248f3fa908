import { useContext } from 'preact/hooks';
import { describe, expect, it } from 'vitest';
import { ApiError, UnreachableError } from '../../../collector/dashboard/api/api-error.ts';
import { StandIn } from '../../../collector/dashboard/app/page-context.ts';
import { Panel } from '../../../collector/dashboard/components/panel.tsx';
import type { Read } from '../../../collector/dashboard/query-cache/query-state.ts';
import { byHand } from './by-hand.ts';
import { useMount } from './mount.tsx';

describe('a panel', () => {
  const mount = useMount();
  const { root } = mount;

  const show = (read: Read<string>, key = 'a', shape: 'view' | 'chart' = 'view') =>
    mount.show(
      <Panel<string> name="Numbers" shape={shape} query={{ key, read }}>
        {(value) => <Shown value={value} />}
      </Panel>,
    );
  const state = () => root.querySelector('[data-panel=Numbers]')?.getAttribute('data-state');
  const shown = () => root.querySelector('.value')?.textContent;

  it('has placeholders while it loads, and then its content', async () => {
    const { asked, read } = byHand<string>();
    await show(read);
    expect([state(), root.querySelectorAll('.bone').length > 0]).toEqual(['loading', true]);
    expect(root.querySelector('[aria-busy=true]')).not.toBeNull();
    await mount.act(() => asked[0]?.answer('7'));
    expect([state(), shown(), root.querySelector('.bone')]).toEqual(['ready', '7', null]);
    expect(root.querySelector('[aria-busy=true]')).toBeNull();
  });

  it('shows progress after a second, and can be cancelled and loaded again', async () => {
    const { asked, read } = byHand<string>();
    await show(read);
    await mount.pass(900);
    expect(root.querySelector('progress')).toBeNull();
    await mount.pass(1_200);
    await mount.act(() => asked[0]?.report(0.25));
    expect(root.querySelector('.waiting span')?.textContent).toBe('Loading Numbers … 25 % · 2 s');
    await mount.press('Cancel');
    expect([state(), asked[0]?.signal.aborted]).toEqual(['cancelled', true]);
    expect(root.querySelector('.cancelled')?.textContent).toContain('Numbers: cancelled.');
    await mount.press('Load');
    await mount.act(() => asked[1]?.answer('7'));
    expect(shown()).toBe('7');
  });

  it('names the error of a view, and tries again', async () => {
    const { asked, read } = byHand<string>();
    await show(read);
    await mount.act(() =>
      asked[0]?.fail(new ApiError(400, 'bad_range', 'the range ends before it starts', 'Swap both.')),
    );
    expect([state(), root.querySelector('code')?.textContent]).toEqual(['failed', 'bad_range']);
    await mount.press('Try again');
    await mount.act(() => asked[1]?.fail(new UnreachableError()));
    expect(root.querySelector('h2')?.textContent).toBe('The collector does not respond');
    await mount.press('Retry now');
    await mount.act(() => asked[2]?.answer('7'));
    expect([state(), shown()]).toEqual(['ready', '7']);
  });

  it('keeps the content of a part that could not be updated', async () => {
    const { asked, read } = byHand<string>();
    await show(read, 'a', 'chart');
    await mount.act(() => asked[0]?.fail(new ApiError(503, 'busy', 'too many queries', '')));
    expect(root.querySelector('.failed-part h3')?.textContent).toBe('Numbers');
    await mount.press('Try again');
    await mount.act(() => asked[1]?.answer('7'));
    await mount.act(() => mount.cache.refresh('all'));
    await mount.act(() => asked[2]?.fail(new ApiError(503, 'busy', 'too many queries', '')));
    expect([state(), shown()]).toEqual(['failed', '7']);
    expect(root.querySelector('[role=alert]')?.textContent).toContain('Not updated (busy)');
    await mount.press('Try again');
    await mount.act(() => asked[3]?.answer('8'));
    expect([shown(), root.querySelector('[role=alert]')]).toEqual(['8', null]);
  });

  it('keeps what it shows until the answer to another question, without drawing it again', async () => {
    const [first, second] = [byHand<string>(), byHand<string>()];
    await show(first.read);
    await mount.act(() => first.asked[0]?.answer('7'));
    const value = root.querySelector('.value');
    await show(second.read, 'b');
    const standIn = root.querySelector('.stand-in');
    expect([state(), standIn?.querySelector('.value'), value?.getAttribute('data-stand-in')]).toEqual([
      'loading',
      value,
      'true',
    ]);
    expect(standIn?.hasAttribute('inert')).toBe(false);
    await mount.pass(250);
    expect(standIn?.hasAttribute('inert')).toBe(true);
    await mount.act(() => second.asked[0]?.answer('8'));
    expect([state(), shown(), root.querySelector('.value') === value]).toEqual(['ready', '8', true]);
    expect(root.querySelector('.stand-in, .waits, [inert]')).toBeNull();
  });

  it('has no stand-in for a part, nor after an error', async () => {
    const [first, second] = [byHand<string>(), byHand<string>()];
    await show(first.read, 'a', 'chart');
    await mount.act(() => first.asked[0]?.answer('7'));
    await show(second.read, 'b', 'chart');
    expect([state(), shown()]).toEqual(['loading', undefined]);
    await mount.act(() => second.asked[0]?.fail(new UnreachableError()));
    await show(first.read, 'c');
    expect(root.querySelector('.stand-in')).toBeNull();
  });
});

function Shown({ value }: { readonly value: string }) {
  return (
    <p class="value" data-stand-in={useContext(StandIn)}>
      {value}
    </p>
  );
}
