import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { INITIAL_STATE, parseViewState } from '../../../collector/dashboard/state/view-state.ts';
import { createViewLoader } from '../../../collector/dashboard/view-loader.ts';
import { fleetSummary, NOW } from './summary-fixture.ts';

const document = fleetSummary();

function clientThat(summary: ApiClient['summary']): ApiClient {
  return { role: async () => 'read', signIn: async () => 'read', signOut: async () => {}, summary };
}

describe('loading a view', () => {
  it('keeps the answer for going back, whatever the order of rows', async () => {
    const loader = createViewLoader(
      clientThat(async () => document),
      () => NOW,
    );
    expect(await loader.load(INITIAL_STATE)).toEqual({ kind: 'loaded' });
    expect(loader.shown(parseViewState('?sort=host'))).toEqual({ documents: { cells: document }, at: NOW });
    expect(loader.shown(parseViewState('?type=font'))).toBeUndefined();
  });

  it('drops an answer that was overtaken', async () => {
    const waiting: (() => void)[] = [];
    const loader = createViewLoader(
      clientThat(() => new Promise((resolve) => waiting.push(() => resolve(document)))),
      () => NOW,
    );
    const first = loader.load(INITIAL_STATE);
    const second = loader.load(parseViewState('?type=font'));
    for (const answer of waiting) answer();
    expect([await first, await second]).toEqual([{ kind: 'superseded' }, { kind: 'loaded' }]);
    expect(loader.shown(INITIAL_STATE)).toBeUndefined();
  });

  it('keeps the last view when a refresh fails', async () => {
    let down = false;
    const error = new Error('down');
    const loader = createViewLoader(
      clientThat(async () => {
        if (down) throw error;
        return document;
      }),
      () => NOW,
    );
    await loader.load(INITIAL_STATE);
    down = true;
    expect(await loader.load(INITIAL_STATE)).toEqual({ kind: 'failed', error });
    expect(loader.shown(INITIAL_STATE)?.at).toBe(NOW);
  });
});
