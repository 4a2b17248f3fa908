import { expect, it } from 'vitest';
import type { ApiClient } from '../../../collector/dashboard/api/api-client.ts';
import type { Json } from '../../../collector/dashboard/model/settings-diff.ts';
import { createEditor, EditorProvider } from '../../../collector/dashboard/settings/editor.ts';
import { Probes } from '../../../collector/dashboard/settings/probe-section.tsx';
import { useMount } from './mount.tsx';

const client = { post: async () => ({ problems: [] }) } as unknown as ApiClient;
const mount = useMount();

async function noteOn(schedule: readonly Record<string, Json>[]): Promise<string | null> {
  const probes = { enabled: true, schedule };
  const targets = [{ id: 'erp', name: 'ERP', match: ['https://erp.example/*'] }];
  const editor = createEditor(client, { document: { version: 1, targets, probes }, etag: '"1"' }, false);
  await mount.show(
    <EditorProvider value={editor}>
      <Probes />
    </EditorProvider>,
  );
  return mount.root.querySelector('[role=note]')?.textContent ?? null;
}

it('names the stored probes that are off, because they look for a text with the user’s cookies', async () => {
  const probe = (id: string, cookies: boolean, step: Readonly<Record<string, Json>>) => ({
    id,
    target: 'erp',
    everyMinutes: 60,
    cookies,
    steps: [{ url: 'https://erp.example/me', ...step }],
  });
  const notice = await noteOn([
    { ...probe('a', true, { text: 'salary' }), name: 'Payroll' },
    probe('b', true, {}),
    probe('c', false, { text: 'Sign in' }),
  ]);
  expect(notice).toContain('are off');
  expect(notice).toMatch(/other\. Payroll$/);
});
