import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { createEditor } from '../../../collector/dashboard/settings/editor.ts';
import type { SettingsProblem } from '../../../shared/settings/settings-problem.ts';

const LOADED = {
  document: { version: 1, targets: [{ id: 'erp', match: ['https://erp.example.com/*'] }] },
  etag: '"1"',
};
const problem = (path: string): SettingsProblem => ({ path, message: 'it is wrong', hint: 'Correct it.' });

/** An editor whose checks the test answers. */
function setUp() {
  const answers: ((problems: readonly SettingsProblem[]) => void)[] = [];
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
    const check = editor.check();
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

  it('checks once after several changes, and drops the answer for an older draft', async () => {
    const { editor, answers } = setUp();
    editor.set(['targets', 0, 'id'], 'a');
    await vi.advanceTimersByTimeAsync(200);
    editor.set(['targets', 0, 'id'], 'ab');
    await vi.advanceTimersByTimeAsync(200);
    expect(answers).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(250);
    expect(answers).toHaveLength(1);
    editor.set(['targets', 0, 'id'], 'abc');
    answers[0]?.([problem('/targets/0/id')]);
    await vi.advanceTimersByTimeAsync(250);
    expect(editor.problems.value).toEqual([]);
    answers[1]?.([problem('/targets')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(editor.problems.value).toEqual([problem('/targets')]);
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
