import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { createEditor } from '../../../collector/dashboard/settings/editor.ts';
import type { DocumentProblem } from '../../../shared/vocabulary/document-problem.ts';

const LOADED = {
  document: { version: 1, targets: [{ id: 'erp', match: ['https://erp.example.com/*'] }] },
  etag: '"1"',
};
const problem = (path: string): DocumentProblem => ({
  path,
  message: 'it is wrong',
  hint: 'Correct it.',
  code: 'wrong',
});

/** An editor whose checks the test answers. */
function setUp() {
  const answers: ((problems: readonly DocumentProblem[]) => void)[] = [];
  const post = () => new Promise((resolve) => answers.push((problems) => resolve({ problems })));
  return { answers, editor: createEditor({ post } as unknown as ApiClient, LOADED, false) };
}

describe('the settings editor', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('places an error at its field, or else at the nearest field above it', async () => {
    const { editor, answers } = setUp();
    editor.addField('targets', '/targets/0');
    const leave = editor.addField('match', '/targets/0/match');
    const check = editor.attempt();
    answers[0]?.(['/targets/0/match/0', '/targets/0/name', '/targets/01', '/probes'].map(problem));
    await check;
    const paths = () => [...editor.placed.value].map(([id, problems]) => [id, problems.map(({ path }) => path)]);
    expect(paths()).toEqual([
      ['match', ['/targets/0/match/0']],
      ['targets', ['/targets/0/name']],
      [undefined, ['/targets/01', '/probes']],
    ]);
    leave();
    expect(paths()[0]).toEqual(['targets', ['/targets/0/match/0', '/targets/0/name']]);
  });

  it('shows errors of a field once it was left, and hides them while it is edited', async () => {
    const { editor, answers } = setUp();
    const shown = () => editor.shown.value.map(({ path }) => path);
    editor.set(['targets', 0, 'match'], []);
    editor.leave('/targets/0/match');
    expect(answers).toHaveLength(1);
    answers[0]?.(['/targets/0/match', '/targets/0/name'].map(problem));
    await vi.advanceTimersByTimeAsync(0);
    expect(shown()).toEqual(['/targets/0/match']);
    editor.set(['targets', 0, 'match'], ['x']);
    expect(shown()).toEqual([]);
    // An error that appeared during a click would move what is clicked.
    editor.press();
    editor.leave('/targets/0/match');
    expect(answers).toHaveLength(1);
    editor.release();
    expect(answers).toHaveLength(2);
    answers[1]?.([]);
    await vi.advanceTimersByTimeAsync(0);
    const attempt = editor.attempt();
    answers[2]?.(['/targets/0/match/0', '/targets/0/name'].map(problem));
    await attempt;
    expect(shown()).toEqual(['/targets/0/match/0', '/targets/0/name']);
    // Leaving a field that nothing was entered into asks for nothing.
    editor.leave('/targets/0/name');
    expect(answers).toHaveLength(3);
  });

  it('shows every error of a document entered as JSON', async () => {
    const { editor, answers } = setUp();
    editor.enter({ version: 1, probes: [{ id: 'x' }] });
    answers[0]?.([problem('/probes/0/name')]);
    await expect.poll(() => editor.shown.value.map(({ path }) => path)).toEqual(['/probes/0/name']);
  });

  it('saves with the errors of a check that is still running', async () => {
    const { editor, answers } = setUp();
    editor.set(['targets', 0, 'match'], []);
    editor.leave('/targets/0/match');
    const attempt = editor.attempt();
    expect(answers).toHaveLength(1);
    answers[0]?.([problem('/targets/0/match'), problem('')]);
    expect(await attempt).toHaveLength(2);
    expect(editor.shown.value).toHaveLength(2);
  });

  it('drops the answer for an older draft, and errors whose positions have moved', async () => {
    const { editor, answers } = setUp();
    editor.set(['targets', 0, 'id'], 'a');
    editor.leave('/targets/0/id');
    editor.set(['targets', 0, 'id'], 'ab');
    answers[0]?.([problem('/targets/0/id')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(editor.problems.value).toEqual([]);
    editor.leave('/targets/0/id');
    answers[1]?.([problem('/targets/0/id')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(editor.shown.value).toEqual([problem('/targets/0/id')]);
    editor.set(['targets', 0], undefined);
    expect(editor.shown.value).toEqual([]);
  });

  it('places what is missing at the field that it is missing from', async () => {
    const { editor, answers } = setUp();
    editor.addField('name', '/targets/0/name');
    const attempt = editor.attempt();
    answers[0]?.([{ ...problem('/targets/0'), code: 'required', values: { names: 'name, match' } }]);
    await attempt;
    expect([...editor.placed.value].map(([id, found]) => [id, found.map(({ path }) => path)])).toEqual([
      ['name', ['/targets/0/name']],
      [undefined, ['/targets/0/match']],
    ]);
  });

  it('knows which items of a list the server has', () => {
    const { editor } = setUp();
    const target = ['targets', 0];
    expect([editor.changed.value, editor.isSaved(target)]).toEqual([false, true]);
    editor.set(['targets', 0, 'name'], 'ERP');
    expect([editor.changed.value, editor.isSaved(target)]).toEqual([true, false]);
    editor.replace(editor.draft.value, { document: editor.draft.value, etag: '"2"' });
    expect([editor.changed.value, editor.isSaved(target)]).toEqual([false, true]);
  });
});
