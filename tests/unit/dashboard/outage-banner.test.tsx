import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, UnreachableError } from '../../../collector/dashboard/api/api-error.ts';
import { OutageBanner } from '../../../collector/dashboard/app/banners.tsx';
import { useQuery } from '../../../collector/dashboard/query-cache/use-query.ts';
import { formatMoment, formatTime } from '../../../collector/dashboard/text/moment.ts';
import { byHand } from './by-hand.ts';
import { useMount } from './mount.tsx';

const READ = new Date(2026, 2, 2, 14, 5).getTime();

describe('the notice of an outage', () => {
  const mount = useMount();
  const { root } = mount;
  const { asked, read } = byHand<string>();
  const Reading = () => {
    useQuery({ key: 'a', read });
    return null;
  };
  const notice = () => root.querySelector('[role=alert] span')?.textContent;

  beforeEach(async () => {
    asked.length = 0;
    vi.setSystemTime(READ);
    await mount.show(
      <>
        <OutageBanner />
        <Reading />
      </>,
    );
  });

  it('says since when the collector has not answered, and goes when it does', async () => {
    await mount.act(() => asked[0]?.answer('first'));
    expect(notice()).toBeUndefined();
    await mount.act(() => mount.cache.refresh('all'));
    await mount.act(() => asked[1]?.fail(new UnreachableError()));
    expect(notice()).toBe(
      `The collector hasn’t answered since ${formatTime(READ)}. The page shows the data from then.`,
    );
    await mount.press('Retry now');
    await mount.act(() => asked[2]?.answer('again'));
    expect(notice()).toBeUndefined();
  });

  it('says what the collector refused, and names the day of what is shown', async () => {
    await mount.act(() => asked[0]?.answer('first'));
    vi.setSystemTime(new Date(2026, 2, 3, 9, 0));
    await mount.act(() => mount.cache.refresh('all'));
    await mount.act(() => asked[1]?.fail(new ApiError(503, 'busy', 'too many queries are running', 'Try again.')));
    expect(notice()).toBe(
      `Not updated since ${formatMoment(READ)}: Too many queries are running. The page shows the data from then.`,
    );
  });

  it('leaves it to a view that was never read to say so', async () => {
    await mount.act(() => asked[0]?.fail(new UnreachableError()));
    expect(notice()).toBeUndefined();
  });
});
