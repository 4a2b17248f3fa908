import type { ApiClient } from '../api/api-client.ts';
import type { Readings } from '../readings/readings.ts';
import { element } from '../render/element.ts';
import { formatMoment } from '../state/time-range.ts';

interface ClockAnswer {
  /** RFC 3339. */
  readonly now: string;
  /** Null while the clock is believed. */
  readonly expected: string | null;
}

/** Says so above every view while the collector does not believe its clock. For admins: only they can end it. */
export function watchClock(region: HTMLElement, client: ApiClient, readings: Readings): { stop(): void } {
  const watch = readings.watch<ClockAnswer>(
    'clock',
    (signal) => client.read('/clock', signal),
    (reading) => {
      if (reading.kind === 'ready') region.replaceChildren(...banner(reading.last.value));
    },
  );
  return {
    stop() {
      watch.stop();
      region.replaceChildren();
    },
  };
}

function banner({ now, expected }: ClockAnswer): readonly HTMLElement[] {
  if (expected === null) return [];
  const [says, should] = [now, expected].map((time) => formatMoment(Date.parse(time)));
  return [
    element(
      'div',
      { class: 'banner', role: 'alert' },
      element('strong', {}, 'The collector’s clock is in doubt. '),
      `It says ${says} where ${should} was expected. Until this ends nothing is removed, no day is finished and no scheduled report is made. If the clock is right, run `,
      element('code', {}, 'lastbyte clock confirm'),
      ' on the collector’s machine. It also ends by itself after an hour in which three or more browsers agree; a small pilot needs the command.',
    ),
  ];
}
