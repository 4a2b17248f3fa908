import type { ComponentChildren } from 'preact';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { type PageContext, PageProvider, usePage } from '../../../collector/dashboard/app/page-context.ts';
import { createEditor, EditorProvider } from '../../../collector/dashboard/settings/editor.ts';
import { Targets } from '../../../collector/dashboard/settings/targets.tsx';
import { useMount } from './mount.tsx';

const client = { post: async () => ({ problems: [] }) } as unknown as ApiClient;

function PageAs(props: Partial<PageContext> & { readonly children: ComponentChildren }) {
  return <PageProvider value={{ ...usePage(), ...props }}>{props.children}</PageProvider>;
}

const mount = useMount();

async function showTargets() {
  const targets = ['erp', 'crm', 'hr'].map((id) => ({
    id,
    name: id.toUpperCase(),
    match: [`https://${id}.example/*`],
  }));
  const editor = createEditor(client, { document: { version: 1, targets }, etag: '"1"' }, false);
  await mount.show(
    <PageAs client={client}>
      <EditorProvider value={editor}>
        <Targets />
      </EditorProvider>
    </PageAs>,
  );
  return editor;
}

const items = () => [...mount.root.querySelectorAll<HTMLDetailsElement>('.items > details')];
async function type(id: string, text: string): Promise<void> {
  await mount.act(() => {
    const field = mount.root.querySelector<HTMLInputElement>(`#${id}`);
    if (field === null) throw new Error(`There is no field ${id}.`);
    field.value = text;
    // The document's own kind of event: it refuses those of Node.
    const event = document.createEvent('Event');
    event.initEvent('input', true, false);
    field.dispatchEvent(event);
  });
}

it('removes an open item of a list without opening the next one', async () => {
  await showTargets();
  const [erp, crm, hr] = items();
  erp?.setAttribute('open', '');
  await mount.press('Remove ERP');
  expect(items()).toEqual([crm, hr]);
  expect(items().map((item) => item.hasAttribute('open'))).toEqual([false, false]);
});

it('derives the id of a new item from its name, and leaves saved ids alone', async () => {
  const editor = await showTargets();
  await mount.press('Add an app');
  const ids = () => (editor.draft.value as { targets: { id: string }[] }).targets.map(({ id }) => id);
  expect(ids()).toEqual(['erp', 'crm', 'hr', 'app']);
  await type('setting-targets-3-name', 'Größe');
  expect(ids().at(-1)).toBe('groesse');
  await type('setting-targets-3-name', 'CRM');
  expect(ids().at(-1)).toBe('crm-2');
  await type('setting-targets-0-name', 'Other');
  expect(ids()[0]).toBe('erp');
  await mount.press('Change');
  await type('setting-targets-3-id', 'mine');
  await type('setting-targets-3-name', 'CRM of all');
  expect(ids().at(-1)).toBe('mine');
  // Saved, it can no longer be changed.
  await mount.act(() => editor.replace(editor.draft.value, { document: editor.draft.value, etag: '"2"' }));
  await type('setting-targets-3-name', 'Another');
  expect(ids().at(-1)).toBe('mine');
  expect(mount.root.querySelector('#setting-targets-3-id')).toBe(null);
});
