import { expect, test } from 'vitest';
import { assembleRecording, type Recorded } from '../../../shared/journeys/assemble-recording.ts';
import { readRecording } from '../../../shared/journeys/read-recording.ts';
import type { Step } from '../../../shared/journeys/recording.ts';

const A = 'https://a.test';
const on = (page: string | null, ...steps: Step[]): Recorded => ({ page: page === null ? null : A + page, steps });
const opened = (page: string, follows = true): Recorded => ({
  ...on(page, { type: 'setViewport', width: 800, height: 600 }, { type: 'navigate', url: A + page }),
  follows,
});
const click = (selector: string): Step => ({ type: 'click', selectors: [selector] });
const change = (selector: string, value = ''): Step => ({ type: 'change', selectors: [selector], value });
const press = (key: string): Step[] => [
  { type: 'keyDown', key },
  { type: 'keyUp', key },
];

/** The steps after the first two, in short. */
function assemble(...recorded: Recorded[]): string[] {
  const recording = assembleRecording([opened('/'), ...recorded], null, 'Order');
  expect(readRecording(recording, null)).toMatchObject({ ok: true });
  return recording.steps.slice(2).map((step) => {
    const what =
      step.type === 'navigate' ? step.url : 'key' in step ? step.key : 'selectors' in step ? step.selectors : '';
    const [{ url = '' } = {}] = step.assertedEvents ?? [];
    return `${step.type} ${what}${'value' in step ? ` ${step.value}` : ''}${url && ` → ${url}`}`;
  });
}

test('a page that came from a step is asserted there, and the last of several counts', () => {
  const steps = [on('/', click('#in')), opened('/redirect'), opened('/home'), on('/home', click('#out'))];
  expect(assemble(...steps)).toEqual(['click #in → https://a.test/home', 'click #out']);
});

test('so is one that the page has made itself, once something is done there; a frame does not know', () => {
  expect(assemble(on('/', click('#a')), on(null, click('#framed')), on('/b', click('#c')))).toEqual([
    ...['click #a', 'click #framed → https://a.test/b', 'click #c'],
  ]);
});

test('the page at the end is asserted too', () => {
  const { steps } = assembleRecording([opened('/'), on('/', click('#a'))], `${A}/end`, 'Order');
  expect(steps.at(-1)?.assertedEvents).toEqual([{ type: 'navigation', url: `${A}/end` }]);
});

test('a page that the user opened is a step', () => {
  expect(assemble(on('/', click('#a')), opened('/b', false))).toEqual(['click #a', 'navigate https://a.test/b']);
});

test('steps that others make needless are left out', () => {
  const steps = [
    on('/', click('#user')),
    on('/', change('#user', 'ro')),
    on('/', change('#user', 'robot')),
    on('/', ...press('Tab')),
    on('/', change('#note', 'x')),
    on('/', ...press('Tab')),
    on('/', ...press('Enter')),
    on('/', click('#twice')),
    on('/', click('#twice')),
    on('/', { type: 'doubleClick', selectors: ['#twice'] }),
  ];
  expect(assemble(...steps)).toEqual([
    ...['change #user robot', 'change #note x', 'keyDown Tab', 'keyUp Tab', 'keyDown Enter', 'keyUp Enter'],
    'doubleClick #twice',
  ]);
});

test('variables are numbered by value on a page, and by field across pages', () => {
  const typed = (page: string, field: string, document: string, id: string): Recorded => ({
    ...on(page, change(field)),
    secret: { kind: 'password', document, id },
  });
  const steps = [
    ...[typed('/', '#old', 'a', '1'), typed('/', '#new', 'a', '2'), typed('/', '#again', 'a', '2')],
    ...[typed('/', '#old', 'b', '3'), typed('/other', '#old', 'b', '4')],
  ];
  expect(assemble(...steps)).toEqual([
    ...['change #old {{password}}', 'change #new {{password2}}', 'change #again {{password2}}'],
    ...['change #old {{password}} → https://a.test/other', 'change #old {{password3}}'],
  ]);
});
