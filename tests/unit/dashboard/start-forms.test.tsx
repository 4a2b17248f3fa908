import { expect, it, vi } from 'vitest';
import type { ApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { ApiError } from '../../../collector/dashboard/api/api-error.ts';
import { ActionForm } from '../../../collector/dashboard/start/action-form.tsx';
import { AppForm } from '../../../collector/dashboard/start/app-form.tsx';
import { Installing } from '../../../collector/dashboard/start/installing.tsx';
import { PackageNow } from '../../../collector/dashboard/start/package-now.tsx';
import { PolicyForm } from '../../../collector/dashboard/start/policy-form.tsx';
import { useMount } from './mount.tsx';

const mount = useMount();
const problem = () => mount.root.querySelector('[role=alert]')?.textContent;

async function enter(id: string, text: string, kind: 'input' | 'change' = 'input'): Promise<void> {
  await mount.act(() => {
    const field = mount.root.querySelector<HTMLInputElement>(`#${id}`);
    if (field === null) throw new Error(`There is no field ${id}.`);
    // This document has no choice that could be made.
    Object.defineProperty(field, 'value', { value: text, writable: true });
    // The document's own kind of event: it refuses those of Node, and would run this field's handler for the form too.
    const event = document.createEvent('Event');
    event.initEvent(kind, false, false);
    field.dispatchEvent(event);
  });
}

/** Sends the address of an app to a collector that answers each attempt to save as `save` does. */
async function watch(address: string, save: (attempt: number) => void) {
  const saved: { readonly etag: string | undefined; readonly targets: number }[] = [];
  const client = {
    send: async (_path: string, { method, headers, body }: RequestInit) => {
      const reads = { headers: new Headers({ etag: `"${saved.length}"` }), document: { version: 1, targets: [] } };
      if (method !== 'PUT') return reads;
      saved.push({
        etag: new Headers(headers).get('if-match') ?? '',
        targets: JSON.parse(String(body)).targets.length,
      });
      save(saved.length);
      return reads;
    },
  } as unknown as ApiClient;
  await mount.show(<AppForm isFirst />, { client });
  await enter('start-address', address);
  await mount.press('Watch this app');
  return saved;
}
const refuse = (code: string) => {
  throw new ApiError(400, code, '/targets/0/match/0: no', 'Send its ETag.');
};

it('adds the app to what another administrator has saved in between, a few times', async () => {
  const saved = await watch('erp.example.com', (attempt) => attempt < 3 && refuse('precondition_failed'));
  expect(saved.map(({ etag }) => etag)).toEqual(['"0"', '"1"', '"2"']);
  expect(problem()).toBe('');
  expect(await watch('erp.example.com', () => refuse('precondition_failed'))).toHaveLength(4);
  expect(problem()).toContain('Send its ETag');
});

it('says what is wrong with an address in words of the page, without sending it', async () => {
  expect(await watch('*', () => {})).toEqual([]);
  expect(problem()).toMatch(/^\* matches every host; name the host/);
  expect(await watch('a.example.com, b.example.com', () => {})).toEqual([]);
  expect(problem()).toBe('Please enter one address at a time.');
});

it('shows no place in a document that the collector refuses', async () => {
  await watch('erp.example.com', () => refuse('invalid_settings'));
  expect(problem()).toMatch(/^The collector refuses/);
  expect(problem()).not.toContain('/targets');
});

it('acts once at a time, says so, and keeps its button focusable', async () => {
  const ends: (() => void)[] = [];
  const act = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  await mount.show(<ActionForm button="Go" busyButton="Going …" act={act} />);
  const button = mount.root.querySelector('button');
  const status = () => mount.root.querySelector('[role=status]')?.textContent;
  await mount.press('Go');
  expect([button?.textContent, status()]).toEqual(['Going …', 'Going …']);
  expect(button?.hasAttribute('disabled')).toBe(false);
  expect(button?.getAttribute('aria-disabled')).toBe('true');
  await mount.press('Going …');
  expect(act).toHaveBeenCalledTimes(1);
  await mount.act(() => ends[0]?.());
  await mount.pass(0);
  expect([button?.textContent, status()]).toEqual(['Go', '']);
  await mount.press('Go');
  expect(act).toHaveBeenCalledTimes(2);
});

it('names the hosts that the packages lack, and that browsers would get them without these', async () => {
  vi.stubGlobal('location', { origin: 'https://lastbyte.example.com' });
  const packaged = { version: '1.2.3.4', collector: null, signingKey: 'key.pem' };
  await mount.show(<PackageNow packages={{ packaged, missing: ['https://crm.example/*'] }} />);
  expect(mount.root.textContent).toContain('Package 1.2.3.4 does not include this host');
  expect(mount.root.querySelector('code')?.textContent).toBe('https://crm.example/*');
  await mount.show(<PackageNow packages={{ packaged, missing: [] }} />);
  expect(mount.root.querySelector('code')).toBe(null);
  await mount.show(<Installing made="" isLacking />);
  expect(mount.root.querySelector('.notice')?.textContent).toContain('still lack');
  await mount.show(<Installing made="" />);
  expect(mount.root.querySelector('.notice')).toBe(null);
});

it('offers no Intune for Chromium, even if it was chosen before', async () => {
  const post = vi.fn(async () => ({ file: 'f', text: 'policy', places: [] }));
  await mount.show(<PolicyForm made="lb_ingest_x" />, { client: { post } as unknown as ApiClient });
  const offered = () => [...mount.root.querySelectorAll('#policy-format option')].map((one) => one.textContent);
  await enter('policy-format', 'intune', 'change');
  expect(offered()).toContain('Windows, Intune');
  await enter('policy-browser', 'chromium', 'change');
  expect(offered()).not.toContain('Windows, Intune');
  await mount.press('Show the policy');
  expect(post).toHaveBeenLastCalledWith('/policies', expect.objectContaining({ browser: 'chromium', format: 'reg' }));
});

it('asks for a policy for some of the browsers only if a percentage is entered', async () => {
  const post = vi.fn(async (_path: string, _body: unknown) => ({ file: 'f', text: 'policy', places: [] }));
  await mount.show(<PolicyForm made="lb_ingest_x" />, { client: { post } as unknown as ApiClient });
  await mount.press('Show the policy');
  await enter('policy-share', '10');
  await mount.press('Show the policy');
  expect(post.mock.calls.map(([, body]) => (body as { share?: unknown }).share)).toEqual([undefined, 10]);
  expect(post.mock.calls[0]?.[1]).not.toHaveProperty('share');
});
