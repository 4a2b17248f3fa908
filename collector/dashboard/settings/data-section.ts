import { element } from '../render/element.ts';
import { panelBox } from '../render/panel-box.ts';
import type { SectionContext } from './section.ts';

const DAYS = { unit: 'days', min: 8, max: 36_500 } as const;

/** Retention, delivery interval, and what viewers see of small groups. */
export function dataSection({ fields }: SectionContext): HTMLElement {
  return panelBox(
    'Retention and privacy',
    'Older data are deleted once an hour. Coarser resolutions are computed from finer ones, so they are kept at least as long.',
    element(
      'div',
      { class: 'setting-row' },
      fields.number(['retention', 'sampleDays'], { label: 'Individual samples', placeholder: '30', ...DAYS }),
      fields.number(['retention', 'hourDays'], { label: 'Hourly data', placeholder: '90', ...DAYS }),
      fields.number(['retention', 'dayDays'], { label: 'Daily data', placeholder: '731', ...DAYS }),
      fields.number(['retention', 'monthDays'], { label: 'Monthly data', placeholder: 'forever', ...DAYS }),
    ),
    element(
      'div',
      { class: 'setting-row' },
      fields.choice(['privacy', 'foldSmallGroups'], {
        label: 'Groups of fewer than 5 browsers',
        hint: 'Such groups could identify a person, also by subtraction. Administrators always see them.',
        options: [
          ['', 'hidden from viewers if there are 20 browsers or more'],
          ['true', 'always hidden from viewers'],
          ['false', 'shown to viewers'],
        ],
      }),
      fields.number(['delivery', 'intervalSeconds'], {
        label: 'Browsers send at least every',
        unit: 's',
        placeholder: '60',
        min: 1,
        max: 3600,
      }),
    ),
  );
}
