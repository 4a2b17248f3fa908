import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../collector/dashboard/api/api-error.ts';
import { currentView, newViewId } from '../../../collector/dashboard/saved-views/saved-view.ts';
import { SavedViews } from '../../../collector/dashboard/saved-views/saved-views.tsx';
import { parseViewState } from '../../../collector/dashboard/state/view-state.ts';
import type { SavedView } from '../../../collector/http/schemas/control-answers.ts';
import { useMount } from './mount.tsx';

const saved = (id: string, name: string, query: string): SavedView => ({
  id,
  name,
  query,
  at: '2026-03-01T09:00:00.000Z',
  author: 'ops',
});
const ERP = saved('erp-this-week', 'ERP this week', '?range=7d&target=erp');
const MAIL = saved('mail', 'Mail', '?target=mail');

describe('a saved view', () => {
  it('is the current one if it shows the same, in whatever order its parameters are', () => {
    const state = parseViewState('?target=erp&range=7d');
    expect(currentView([MAIL, ERP], state)).toBe(ERP);
    expect(currentView([MAIL, ERP], parseViewState('?target=erp'))).toBeNull();
    expect(currentView([saved('all', 'All', '')], parseViewState('?range=24h'))?.id).toBe('all');
  });

  it('has an id that follows from its name and is not taken', () => {
    expect(newViewId('ERP, This Week!', [])).toBe('erp-this-week');
    expect(newViewId('ERP this week', [ERP])).toBe('erp-this-week-2');
    expect(newViewId('Büro München', [])).toBe('buro-munchen');
    expect(newViewId('日本', [])).toBe('view');
    const long = 'x'.repeat(80);
    const taken = saved('x'.repeat(63), long, '');
    expect(newViewId(long, [taken])).toMatch(/^x{61}-2$/);
  });
});

describe('the menu of saved views', () => {
  const mount = useMount();
  const { root } = mount;
  beforeAll(() => {
    // What a document without layout does not have.
    const nothing = () => {};
    vi.stubGlobal('window', { innerWidth: 1280, innerHeight: 800 });
    Object.assign(Object.getPrototypeOf(root.ownerDocument.createElement('div')), {
      showPopover: nothing,
      showModal: nothing,
      close: nothing,
      select: nothing,
      getBoundingClientRect: () => ({ left: 0, bottom: 0 }),
    });
  });
  const show = async (role: 'read' | 'admin', views: readonly SavedView[], search = '') => {
    const sent: { path: string; method: string | undefined; body: unknown }[] = [];
    mount.client.query = () => ({ key: '/views', read: async () => ({ views }) as never });
    mount.client.send = async (path, { method, body }) => {
      sent.push({ path, method, body: body === undefined ? null : JSON.parse(String(body)) });
      if (String(body).includes('"Mail"')) throw new ApiError(409, 'name_taken', 'there is already a view', 'Choose.');
      return { headers: new Headers(), document: null };
    };
    await mount.show(<SavedViews />, { role, state: parseViewState(search) });
    return sent;
  };
  const button = () => root.querySelector<HTMLButtonElement>('.saved-views');
  const links = () =>
    [...root.querySelectorAll('.view-list a')].map((link) => [link.textContent, link.getAttribute('aria-current')]);
  const open = () => mount.act(() => button()?.click());
  /** It is loaded on demand. */
  const dialog = () => expect.poll(() => root.querySelector('dialog')).not.toBeNull();
  const type = (name: string) =>
    mount.act(() => {
      const input = root.querySelector<HTMLInputElement>('#view-name');
      if (input === null) throw new Error('There is no field for the name.');
      input.value = name;
      input.dispatchEvent(new (root.ownerDocument.defaultView as unknown as typeof globalThis).Event('input'));
    });

  it('offers a viewer the views and marks the current one', async () => {
    await show('read', [ERP, MAIL], '?range=7d&target=erp');
    expect(button()?.textContent).toBe('ERP this week');
    await open();
    expect(links()).toEqual([
      ['ERP this week', 'true'],
      ['Mail', null],
    ]);
    expect(root.querySelectorAll('.view-list button')).toHaveLength(0);
    expect(root.textContent).not.toContain('Save this view');
  });

  it('is not there for a viewer without views', async () => {
    await show('read', []);
    expect(button()).toBeNull();
  });

  it('lets an administrator save the view that is shown, under a name', async () => {
    const sent = await show('admin', [ERP], '?target=crm');
    await open();
    await mount.press('Save this view as …');
    await dialog();
    await mount.press('Save');
    expect([sent.length, root.querySelector('[role=alert]')?.textContent]).toEqual([0, 'Give the view a name.']);
    await type(' CRM ');
    await mount.press('Save');
    expect(sent).toEqual([{ path: '/views/crm', method: 'PUT', body: { name: 'CRM', query: '?target=crm' } }]);
  });

  it('renames without touching what is shown, and says why a name is refused', async () => {
    const sent = await show('admin', [ERP]);
    await open();
    await mount.press('Rename');
    await dialog();
    expect(root.querySelector<HTMLInputElement>('#view-name')?.value).toBe('ERP this week');
    await type('Mail');
    await mount.press('Rename');
    expect(root.querySelector('[role=alert]')?.textContent).toContain('There is already a view. Choose.');
    expect(sent).toEqual([
      { path: '/views/erp-this-week', method: 'PUT', body: { name: 'Mail', query: '?range=7d&target=erp' } },
    ]);
  });

  it('deletes only after asking', async () => {
    const sent = await show('admin', [MAIL]);
    await open();
    await mount.press('Delete');
    await dialog();
    expect([sent.length, root.querySelector('dialog h2')?.textContent]).toEqual([0, 'Delete the view “Mail”']);
    await mount.press('Delete');
    expect(sent).toEqual([{ path: '/views/mail', method: 'DELETE', body: null }]);
  });
});
