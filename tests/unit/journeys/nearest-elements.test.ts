import { expect, it } from 'vitest';
import { NEAREST, nearestElements, wantedElement } from '../../../shared/journeys/nearest-elements.ts';

const elements = ['Home', 'Orders', 'Save order', 'Cancel', 'Save as draft'].map((name) => ({ role: 'button', name }));

it('knows by its selectors what people call an element', () => {
  expect(wantedElement([['#save'], ['aria/Save', 'aria/[role="generic"]'], ['aria/Save[role="button"]']])).toEqual({
    role: 'button',
    name: 'Save',
  });
  expect(wantedElement(['xpath///button', 'text/Save now'])).toEqual({ role: '', name: 'Save now' });
  expect(wantedElement(['#save'])).toBeNull();
});

it('puts those first that are called alike, of the role that was looked for', () => {
  const [first] = nearestElements({ role: 'button', name: 'Save' }, elements);
  expect(first?.name).toBe('Save order');
  const both = [
    { role: 'link', name: 'Save' },
    { role: 'button', name: 'Save' },
  ];
  expect(nearestElements({ role: 'button', name: 'Save' }, both)[0]?.role).toBe('button');
});

it('names ten at most, and the first ones where there is no name to go by', () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ role: 'link', name: `Link ${i}` }));
  expect(nearestElements(null, many)).toEqual(many.slice(0, NEAREST));
  expect(nearestElements({ role: '', name: 'Link 29' }, many)[0]?.name).toBe('Link 29');
});
