import type { ApiClient } from '../api/api-client.ts';
import type { QueryCache } from '../query-cache/query-cache.ts';
import { element } from '../render/element.ts';
import { formatMoment } from '../state/time-range.ts';

interface ClockAnswer {
  /** RFC 3339. */
  readonly now: string;
  /** Null while the clock is trusted. */
  readonly expected: string | null;
}

/** A banner above every view while the collector distrusts its clock. For administrators: only they can confirm it. */
export function watchClock(region: HTMLElement, client: ApiClient, cache: QueryCache): { stop(): void } {
  const subscription = cache.subscribe<ClockAnswer>(
    'clock',
    (signal) => client.read('/clock', signal),
    (state) => {
      if (state.kind === 'ready') region.replaceChildren(...banner(state.last.value));
    },
  );
  return {
    stop() {
      subscription.stop();
      region.replaceChildren();
    },
  };
}

function banner({ now, expected }: ClockAnswer): readonly HTMLElement[] {
  if (expected === null) return [];
  const [actual, wanted] = [now, expected].map((time) => formatMoment(Date.parse(time)));
  return [
    element(
      'div',
      { class: 'banner', role: 'alert' },
      element('strong', {}, 'The collector’s clock may be wrong. '),
      `It shows ${actual}; ${wanted} was expected. Until this is resolved, no data are deleted, no day is closed and no scheduled report is generated. If the clock is right, run `,
      element('code', {}, 'lastbyte clock confirm'),
      ' on the collector’s machine. The warning also clears itself after an hour in which three or more browsers agree with the clock; a small pilot needs the command.',
    ),
  ];
}
