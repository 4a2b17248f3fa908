import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AnnotationDocument, concerns } from '../../../collector/analysis/changes/annotation-document.ts';
import { AnnotationList } from '../../../collector/dashboard/annotations/annotation-list.tsx';
import { useAnnotations } from '../../../collector/dashboard/annotations/use-annotations.ts';
import { ApiError } from '../../../collector/dashboard/api/api-error.ts';
import { timeMarks } from '../../../collector/dashboard/charts/timeline-chart.ts';
import { parseViewState } from '../../../collector/dashboard/state/view-state.ts';
import { useMount } from './mount.tsx';

const RELEASE: AnnotationDocument = {
  id: 'a1',
  at: '2026-03-01T09:30:00.000Z',
  until: null,
  text: 'release 4.2',
  target: 'erp',
  host: null,
  author: 'ops',
  createdAt: '2026-03-01T09:31:00.000Z',
};
const PROXY: AnnotationDocument = { ...RELEASE, id: 'a2', text: 'new proxy', target: null };
const BACKUP: AnnotationDocument = {
  ...PROXY,
  id: 'a3',
  text: 'backup',
  host: 'crm.example.com',
  until: '2026-03-01T12:00:00.000Z',
};

describe('an annotation', () => {
  it('concerns what is shown unless it is about another app or host', () => {
    expect([concerns(PROXY), concerns(RELEASE), concerns(BACKUP)]).toEqual([true, true, true]);
    expect([concerns(RELEASE, ['crm']), concerns(RELEASE, ['crm', 'erp']), concerns(PROXY, ['crm'])]).toEqual([
      false,
      true,
      true,
    ]);
    expect([concerns(BACKUP, [], ['erp.example.com']), concerns(BACKUP, [], ['crm.example.com'])]).toEqual([
      false,
      true,
    ]);
  });

  it('is among the values of the step in which it happened, and of every step that it lasted', () => {
    const hours = [9, 10, 11, 12].map((hour) => new Date(Date.UTC(2026, 2, 1, hour)));
    const none = { n: null, median: null, mean: null, p25: null, p75: null, p95: null, alone: false };
    const points = hours.slice(0, 3).map((at, i) => ({ ...none, at, end: hours[i + 1] as Date }));
    const at = Date.parse(RELEASE.at);
    const marks = timeMarks(points, (time) => time.getTime(), 0, 10, [
      { at, until: null, text: 'release 4.2' },
      { at, until: Date.UTC(2026, 2, 1, 10, 30), text: 'backup' },
    ]);
    expect(marks.map(({ lines }) => lines.slice(1).map(({ label }) => label))).toEqual([
      ['release 4.2', 'backup'],
      ['backup'],
      [],
    ]);
  });
});

function Shown({ host = null }: { readonly host?: string | null }) {
  return <AnnotationList {...useAnnotations(host)} />;
}

describe('the annotations of a chart', () => {
  const mount = useMount();
  const { root } = mount;
  beforeAll(() => {
    const nothing = () => {};
    Object.assign(Object.getPrototypeOf(root.ownerDocument.createElement('div')), {
      showModal: nothing,
      close: nothing,
    });
  });
  let stored: AnnotationDocument[];
  let sent: unknown[];
  beforeEach(() => {
    stored = [RELEASE, PROXY, BACKUP];
    sent = [];
    mount.client.read = async (path) => {
      if (path === '/settings') return { targets: [{ id: 'erp', name: 'The ERP' }] } as never;
      sent.push(path.split('?')[0]);
      return { annotations: stored } as never;
    };
    mount.client.post = async (path, body) => {
      sent.push([path, body]);
      if (JSON.stringify(body).includes('forbidden')) {
        throw new ApiError(422, 'too_many_annotations', 'there are already 1000 annotations', 'Delete old ones first.');
      }
      return null as never;
    };
    mount.client.send = async (path, { method }) => {
      sent.push([method, path]);
      return { headers: new Headers(), document: null };
    };
  });
  const items = () => [...root.querySelectorAll('.annotations li')].map((item) => item.textContent);
  const event = (name: string) =>
    new (root.ownerDocument.defaultView as unknown as typeof globalThis).Event(name, { bubbles: true });
  const fill = (id: string, value: string) =>
    mount.act(() => {
      const field = root.querySelector<HTMLInputElement>(`#${id}`);
      if (field === null) throw new Error(`There is no field ${id}.`);
      field.value = value;
      field.dispatchEvent(event('input'));
    });
  /** It is loaded on demand. */
  const open = async () => {
    await mount.press('Annotate');
    await expect.poll(() => root.querySelector('dialog')).not.toBeNull();
  };

  it('are listed with what they are about, and those of other hosts are not', async () => {
    await mount.show(<Shown />);
    expect(root.querySelector('summary')?.textContent).toBe('3 annotations');
    expect(items()).toEqual([
      expect.stringContaining('release 4.2 · The ERP'),
      expect.stringMatching(/new proxy$/),
      expect.stringMatching(/–.*backup · crm\.example\.com$/),
    ]);
    await mount.show(<Shown host="erp.example.com" />);
    expect(items()).toHaveLength(2);
    expect(root.querySelector('button')).toBeNull();
  });

  it('are nothing to a viewer where there are none, and an error where they could not be read', async () => {
    stored = [];
    await mount.show(<Shown />);
    expect(root.querySelector('.annotations')).toBeNull();
    mount.client.read = async () => {
      throw new ApiError(503, 'busy', 'the store is busy', 'Try again.');
    };
    await mount.show(<Shown />, { state: parseViewState('?range=7d') });
    expect(root.querySelector('.problem')?.textContent).toContain('busy');
  });

  it('are added by an admin, about an app, and read again', async () => {
    await mount.show(<Shown />, { role: 'admin' });
    await open();
    await mount.press('Add');
    expect(root.querySelector('dialog [role="alert"]')?.textContent).toBe('Say what happened.');
    await fill('annotation-text', ' release 4.3 ');
    await fill('annotation-at', '2026-03-01T10:00');
    await mount.act(() => {
      const about = root.querySelector<HTMLSelectElement>('#annotation-about');
      if (about === null) throw new Error('There is no choice.');
      for (const option of about.querySelectorAll('option')) option.selected = option.value === 'target=erp';
      about.dispatchEvent(event('change'));
    });
    sent = [];
    await mount.press('Add');
    const at = new Date('2026-03-01T10:00').toISOString();
    expect(sent).toEqual([['/annotations', { text: 'release 4.3', at, target: 'erp' }], '/annotations']);
  });

  it('that the collector refuses stay in the form, with the reason', async () => {
    await mount.show(<Shown />, { role: 'admin' });
    await open();
    await fill('annotation-text', 'forbidden');
    await mount.press('Add');
    expect(root.querySelector('dialog [role="alert"]')?.textContent).toContain('1000 annotations');
  });

  it('are deleted by an admin who presses twice', async () => {
    await mount.show(<Shown />, { role: 'admin' });
    await open();
    sent = [];
    await mount.act(() => root.querySelector<HTMLButtonElement>('[aria-label="Delete “release 4.2”"]')?.click());
    expect(sent).toEqual([]);
    await mount.press('Really delete?');
    expect(sent).toEqual([['DELETE', '/annotations/a1'], '/annotations']);
  });
});
