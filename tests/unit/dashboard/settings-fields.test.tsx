import type { ComponentChildren } from 'preact';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { type PageContext, PageProvider, usePage } from '../../../collector/dashboard/app/page-context.ts';
import type { Json } from '../../../collector/dashboard/model/settings-diff.ts';
import { Alerts } from '../../../collector/dashboard/settings/alerts.tsx';
import { DataSection } from '../../../collector/dashboard/settings/data-section.tsx';
import { createEditor, EditorProvider } from '../../../collector/dashboard/settings/editor.ts';
import { Probes } from '../../../collector/dashboard/settings/probe-section.tsx';
import { Reports } from '../../../collector/dashboard/settings/reports.tsx';
import { Targets } from '../../../collector/dashboard/settings/targets.tsx';
import { texts } from '../../../collector/dashboard/text/settings.ts';
import { useMount } from './mount.tsx';

/** Something in every list, both kinds of probe and of rule, and every part that is optional. */
const FULL: Json = {
  version: 1,
  targets: [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'], exclude: [{ path: '/health' }] }],
  probes: {
    enabled: true,
    schedule: [
      { id: 'logo', target: 'erp', url: 'https://erp.example.com/logo.png', everyMinutes: 60 },
      { id: 'sign-in', target: 'erp', steps: [{ url: 'https://erp.example.com/' }], everyMinutes: 60 },
      {
        id: 'order',
        target: 'erp',
        recording: { title: 'Order', steps: [{ type: 'navigate', url: 'https://erp.example.com/' }] },
        everyMinutes: 60,
      },
    ],
  },
  alerts: {
    webhooks: [{ id: 'chat', url: 'https://chat.example.com/in' }],
    rules: [
      { id: 'slow', aboveMs: 1000, mailTo: ['it@example.com'], webhooks: ['chat'] },
      { id: 'down', availabilityBelow: 0.99, journey: '*' },
    ],
  },
  reports: {
    mail: { host: 'mail.example.com', from: 'lastbyte@example.com' },
    schedule: [{ id: 'board', cron: '0 6 1 * *', webhook: { url: 'https://chat.example.com/in' } }],
  },
  sites: [{ site: 'Berlin', networks: ['10.1.0.0/16'] }],
};

const client = {
  query: (path: string) => ({ key: path, read: () => new Promise(() => {}) }),
} as unknown as ApiClient;

function PageAs(props: Partial<PageContext> & { readonly children: ComponentChildren }) {
  return <PageProvider value={{ ...usePage(), ...props }}>{props.children}</PageProvider>;
}

const mount = useMount();

describe('the fields of the settings', () => {
  it('have a text each, and no text is left over', async () => {
    const editor = createEditor(client, { document: FULL, etag: '"1"' }, false);
    const pointers = new Set<string>();
    const add = editor.addField;
    const watched = {
      ...editor,
      addField(id: string, pointer: string) {
        pointers.add(pointer);
        return add(id, pointer);
      },
    };
    await mount.show(
      <PageAs client={client}>
        <EditorProvider value={watched}>
          <Targets />
          <Probes />
          <Alerts />
          <Reports />
          <DataSection />
        </EditorProvider>
      </PageAs>,
    );
    // Of new items: saved ones keep theirs.
    for (const id of ['targets', 'probes/schedule', 'alerts/webhooks', 'alerts/rules', 'reports/schedule']) {
      pointers.add(`/${id}/id`);
    }
    const names = [...pointers].map((pointer) => pointer.slice(1).replaceAll(/\/\d+(?=\/|$)/g, ''));
    // Filters have the names of dimensions; a choice between places of a secret has no setting of its own.
    const named = names.filter((name) => !/\/filters\/|^alerts\/webhooks$/.test(name));
    expect([...new Set(named)].sort()).toEqual(Object.keys(texts.fields).sort());
  });
});
