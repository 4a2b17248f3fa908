import { element } from '../render/element.ts';
import { panelBox } from '../render/panel-box.ts';
import type { SectionContext } from './section.ts';

const DAYS = { unit: 'days', min: 8, max: 36_500 } as const;

/** How long what is kept, how often browsers send, and what viewers see of few people. */
export function dataSection({ fields }: SectionContext): HTMLElement {
  return panelBox(
    'Retention and privacy',
    'What is older is removed once an hour. Coarse levels are made from the finer ones, so they are kept at least as long.',
    element(
      'div',
      { class: 'setting-row' },
      fields.number(['retention', 'sampleDays'], { label: 'Single samples', placeholder: '30', ...DAYS }),
      fields.number(['retention', 'hourDays'], { label: 'Hours', placeholder: '90', ...DAYS }),
      fields.number(['retention', 'dayDays'], { label: 'Days', placeholder: '731', ...DAYS }),
      fields.number(['retention', 'monthDays'], { label: 'Months', placeholder: 'for ever', ...DAYS }),
    ),
    element(
      'div',
      { class: 'setting-row' },
      fields.choice(['privacy', 'foldSmallGroups'], {
        label: 'What fewer than 5 browsers are behind',
        hint: 'A person could be told by it, also by subtraction. Administrators always see it.',
        options: [
          ['', 'hidden from viewers from 20 browsers on'],
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
