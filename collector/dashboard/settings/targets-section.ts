import { RESOURCE_TYPES } from '../../../shared/vocabulary/vocabulary.ts';
import type { Json } from '../model/settings-diff.ts';
import { button, element } from '../render/element.ts';
import { panelBox } from '../render/panel-box.ts';
import { addButton, itemList } from './list-section.ts';
import type { SectionContext } from './section.ts';

type Item = Readonly<Record<string, Json>>;

/** The apps to watch, with their path templates and exclusion rules. */
export function targetsSection({ editor, fields, readOnly, opened }: SectionContext): HTMLElement {
  const targets = listOf(editor.value(['targets']));
  return panelBox(
    'Targets',
    'The apps to watch. Nothing outside these pages is collected.',
    targets.length === 0
      ? element('p', { class: 'quiet' }, 'No targets yet: enrolled browsers collect nothing.')
      : null,
    itemList(
      'target',
      targets.map((target, i) => {
        const path = ['targets', i] as const;
        return {
          title: textOf(target.name) || textOf(target.id) || 'New target',
          note: listOf(target.match).map(String).join(', ') || 'no pages yet',
          open: opened.has(`target ${i}`),
          remove: readOnly ? null : () => editor.set(path, undefined, true),
          content: () => [
            element(
              'div',
              { class: 'setting-row' },
              fields.text([...path, 'name'], { label: 'Name', placeholder: 'ERP' }),
              fields.text([...path, 'id'], {
                label: 'Id',
                hint: 'Part of every sample: do not change it once it is in use.',
                placeholder: 'erp',
              }),
            ),
            fields.lines([...path, 'match'], {
              label: 'Pages (one match pattern per line)',
              hint: 'Scheme, host and path: https://erp.example.com/*',
              required: true,
            }),
            excluded([...path, 'exclude'], target, { editor, fields, readOnly }),
            element(
              'details',
              { class: 'further', 'data-keep': true },
              element('summary', { 'data-focus': `more target ${i}` }, 'Path templates, Server-Timing, hidden times'),
              fields.lines([...path, 'templateRules'], {
                label: 'Template rules (one per line)',
                hint: '{name} matches one segment, * one segment that is folded as usual, a final ** any number: /users/{user}/**',
              }),
              fields.lines([...path, 'serverTimingMetrics'], {
                label: 'Server-Timing metrics to keep (one per line)',
                hint: 'The server’s names, such as cpu or db.',
                rows: 2,
              }),
              fields.lines([...path, 'unlockTimings'], {
                label: 'Hosts whose hidden times are unlocked (one per line)',
                hint: 'For other hosts, browsers report little more than the total time. For hosts listed here they report all phases, also to this app’s own scripts, which could infer what was in a user’s cache. Browsers ask for permission to these hosts; rebuild the package.',
                rows: 2,
              }),
            ),
          ],
        };
      }),
    ),
    readOnly
      ? null
      : addButton('Add a target', () => {
          opened.add(`target ${targets.length}`);
          editor.set(['targets', targets.length], { id: newId('app', targets), name: '', match: [] }, true);
          document.getElementById(`setting-targets-${targets.length}-name`)?.focus();
        }),
  );
}

/** Rules for requests that are counted but not timed. */
function excluded(
  path: readonly (string | number)[],
  target: Item,
  { editor, fields, readOnly }: Pick<SectionContext, 'editor' | 'fields' | 'readOnly'>,
): HTMLElement {
  const rules = listOf(target.exclude);
  return element(
    'fieldset',
    { class: 'group' },
    element('legend', {}, 'Exclusion rules'),
    element(
      'p',
      { class: 'quiet small' },
      'Requests that are counted but not timed, such as health checks and polling. A rule matches if all of its fields match.',
    ),
    ...rules.map((_, i) =>
      element(
        'div',
        { class: 'setting-row rule' },
        fields.text([...path, i, 'path'], { label: `Path of rule ${i + 1}`, placeholder: '/health/**' }),
        fields.text([...path, i, 'host'], { label: `Host of rule ${i + 1}`, placeholder: 'any' }),
        fields.choice([...path, i, 'type'], {
          label: `Type of rule ${i + 1}`,
          options: [['', 'any'], ...RESOURCE_TYPES.map((type) => [type, type] as const)],
        }),
        readOnly
          ? null
          : button(
              {
                class: 'plain danger',
                'aria-label': `Remove rule ${i + 1}`,
                'data-focus': `remove rule ${path.join(' ')} ${i}`,
              },
              () => editor.set([...path, i], undefined, true),
              'Remove',
            ),
      ),
    ),
    readOnly ? null : addButton('Add a rule', () => editor.set([...path, rules.length], { path: '/' }, true)),
  );
}

export function listOf(value: Json | undefined): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : [];
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The first free id of `app`, `app-2` and so on. */
export function newId(word: string, items: readonly Item[]): string {
  const taken = new Set(items.map(({ id }) => id));
  let id = word;
  for (let i = 2; taken.has(id); i++) id = `${word}-${i}`;
  return id;
}
