import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRecording } from '../../../shared/journeys/read-recording.ts';
import { MAX_JOURNEY_STEPS } from '../../../shared/vocabulary/wire-limits.ts';

const FOLDER = 'tests/fixtures/journeys';
const open = { type: 'navigate', url: 'https://erp.example.com/login' };
const click = { type: 'click', selectors: [['aria/Save'], ['#save']], offsetX: 4, offsetY: 4 };
const recording = (...steps: unknown[]) => ({ title: 'Order', steps: [open, ...steps] });

function problemsOf(document: unknown, patterns: readonly string[] | null = null) {
  const verdict = readRecording(document, patterns);
  return verdict.ok ? [] : verdict.problems.map(({ code, step, path }) => [code, step, path]);
}

describe('readRecording', () => {
  it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.json')))('reads %s unchanged', (name) => {
    const document = JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8'));
    expect(readRecording(document, ['http://127.0.0.1/*'])).toEqual({ ok: true, recording: document });
  });

  it('names a step that is nothing', () => {
    expect(problemsOf({ title: 'x', steps: [null] })).toEqual([
      ['no_type', 1, '/steps/0/type'],
      ['no_navigation', null, '/steps'],
    ]);
  });

  it('keeps names of other tools, and refuses a misspelt one of its own', () => {
    const other = { ...recording({ ...click, 'x-tool': 1 }), plugin: { a: 1 } };
    expect(readRecording(other, null)).toEqual({ ok: true, recording: other });
    expect(problemsOf(recording({ ...click, lastbyte: { treshold: 200 } }))).toEqual([
      ['unknown_name', 2, '/steps/1/lastbyte'],
    ]);
    expect(problemsOf({ ...recording(), lastbyte: { repeatable: 'yes' } })).toEqual([
      ['wrong_type', null, '/lastbyte/repeatable'],
    ]);
  });

  it.each([
    ['no recording', [], ['wrong_type', null, '']],
    ['no steps', { title: 'x', steps: [] }, ['too_few', null, '/steps']],
    ['no title', { steps: [open] }, ['required', null, '']],
    ['10,000 steps', recording(...Array(10_000).fill(click)), ['too_many_steps', null, '/steps']],
    ['no page', { title: 'x', steps: [click] }, ['no_navigation', null, '/steps']],
    ['an unknown step', recording({ type: 'swipe' }), ['unknown_step', 2, '/steps/1/type']],
    ['a step of an object', recording({ type: 'constructor' }), ['unknown_step', 2, '/steps/1/type']],
    ['a step without type', recording(null), ['no_type', 2, '/steps/1/type']],
    ['an empty selector list', recording({ ...click, selectors: [] }), ['no_selectors', 2, '/steps/1/selectors']],
    ['no selector list', recording({ type: 'hover' }), ['no_selectors', 2, '/steps/1/selectors']],
    ['a selector of nothing', recording({ ...click, selectors: [[]] }), ['not_allowed', 2, '/steps/1/selectors/0']],
    ['code', recording({ type: 'waitForExpression', expression: 'x' }), ['runs_code', 2, '/steps/1/type']],
    ['custom code', recording({ type: 'customStep', name: 'x', parameters: {} }), ['runs_code', 2, '/steps/1/type']],
    ['a slower network', recording({ type: 'emulateNetworkConditions' }), ['changes_network', 2, '/steps/1/type']],
    ['a closed tab', recording({ type: 'close' }), ['closes_tab', 2, '/steps/1/type']],
    ['a script', recording({ type: 'navigate', url: 'javascript:alert(1)' }), ['not_web_address', 2, '/steps/1/url']],
    ['data', recording({ type: 'navigate', url: 'data:text/html,x' }), ['not_web_address', 2, '/steps/1/url']],
    ['a file', recording({ type: 'navigate', url: 'file:///etc/passwd' }), ['not_web_address', 2, '/steps/1/url']],
    [
      'a new tab',
      recording({ type: 'navigate', url: 'chrome://new-tab-page/' }),
      ['not_web_address', 2, '/steps/1/url'],
    ],
    [
      'a password',
      recording({ type: 'navigate', url: 'https://a:b@erp.example.com/' }),
      ['names_user', 2, '/steps/1/url'],
    ],
    ['a long timeout', recording({ ...click, timeout: 1e9 }), ['too_large', 2, '/steps/1/timeout']],
    ['another button', recording({ ...click, button: 'left' }), ['not_one_of', 2, '/steps/1/button']],
  ])('refuses %s', (_, document, problem) => {
    expect(problemsOf(document)).toContainEqual(problem);
  });

  it('opens only what a match pattern allows, and says which to add', () => {
    const document = recording({ type: 'navigate', url: 'https://evil.example.net/x' });
    const verdict = readRecording(document, ['https://erp.example.com/*']);
    expect(verdict).toMatchObject({ ok: false, problems: [{ code: 'outside_targets', step: 2 }] });
    expect(!verdict.ok && verdict.problems[0]?.hint).toMatch(/^Add https:\/\/evil\.example\.net\/\* to the app/);
  });

  it('names every problem, and the likely fix of each', () => {
    const verdict = readRecording(recording({ type: 'close' }, { ...click, selectors: [] }, { type: 'clck' }), null);
    const problems = verdict.ok ? [] : verdict.problems;
    expect(problems.map(({ step }) => step)).toEqual([2, 3, 4]);
    for (const { message, hint } of problems) expect(`${message}. ${hint}`).toMatch(/^[a-z].*\. [A-Z].*\.$/);
    const many = readRecording(recording(...Array(MAX_JOURNEY_STEPS - 1).fill({ type: 'close' })), null);
    expect(many.ok ? 0 : many.problems.length).toBe(20);
  });

  it('does not keep a value beside the variable that stands for it', () => {
    const change = { type: 'change', selectors: ['#pw'], value: 'hunter2', lastbyte: { variable: 'password' } };
    const verdict = readRecording(recording(change), null);
    expect(verdict.ok && verdict.recording.steps[1]).toMatchObject({ value: '{{password}}' });
    expect(JSON.stringify(verdict)).not.toContain('hunter2');
  });
});
