import { RESOURCE_TYPES } from '../../../shared/vocabulary/vocabulary.ts';
import type { Json } from '../model/settings-diff.ts';
import { button, element } from '../render/element.ts';
import { panelBox } from '../render/panel-box.ts';
import { addButton, itemList } from './list-section.ts';
import type { SectionContext } from './section.ts';

type Item = Readonly<Record<string, Json>>;

/** What is watched, and how its paths are folded and its requests left out. */
export function targetsSection({ editor, fields, readOnly, opened }: SectionContext): HTMLElement {
  const targets = listOf(editor.value(['targets']));
  return panelBox(
    'Targets',
    'The apps to watch. Nothing outside of these pages is collected.',
    targets.length === 0
      ? element('p', { class: 'quiet' }, 'No app is watched yet: browsers that are enrolled collect nothing.')
      : null,
    itemList(
      'target',
      targets.map((target, i) => {
        const path = ['targets', i] as const;
        return {
          title: textOf(target.name) || textOf(target.id) || 'New target',
          note: listOf(target.match).map(String).join(', ') || 'matches nothing yet',
          open: opened.has(`target ${i}`),
          remove: readOnly ? null : () => editor.set(path, undefined, true),
          content: () => [
            element(
              'div',
              { class: 'setting-row' },
              fields.text([...path, 'name'], { label: 'Name', placeholder: 'ERP' }),
              fields.text([...path, 'id'], {
                label: 'Id',
                hint: 'Part of every sample: keep it once it is in use.',
                placeholder: 'erp',
              }),
            ),
            fields.lines([...path, 'match'], {
              label: 'Pages (one match pattern a line)',
              hint: 'Scheme, host and path: https://erp.example.com/*',
              required: true,
            }),
            excluded([...path, 'exclude'], target, { editor, fields, readOnly }),
            element(
              'details',
              { class: 'further', 'data-keep': true },
              element('summary', { 'data-focus': `more target ${i}` }, 'Paths, Server-Timing, hidden times'),
              fields.lines([...path, 'templateRules'], {
                label: 'Template rules (one a line)',
                hint: '{name} stands for one part, * for one that is folded as usual, a final ** for any number: /users/{user}/**',
              }),
              fields.lines([...path, 'serverTimingMetrics'], {
                label: 'Server-Timing metrics to keep (one a line)',
                hint: 'Such as cpu or db, as the server names them.',
                rows: 2,
              }),
              fields.lines([...path, 'unlockTimings'], {
                label: 'Hosts whose hidden times are unlocked (one a line)',
                hint: 'Of other hosts browsers tell little more than the whole time. Named here, they tell all of it: to this app’s own scripts too, which can learn from it what lay in a user’s cache. Browsers ask for permission to these hosts; make the package anew.',
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
          // Who adds one means to fill it in.
          document.getElementById(`setting-targets-${targets.length}-name`)?.focus();
        }),
  );
}

/** Rules for requests that are counted and not timed. */
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
      'Requests that are counted and stay out of times: health checks, polling. All that a rule names has to be so.',
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

/** `app`, `app-2` and so on: the first that is free. */
export function newId(word: string, items: readonly Item[]): string {
  const taken = new Set(items.map(({ id }) => id));
  let id = word;
  for (let i = 2; taken.has(id); i++) id = `${word}-${i}`;
  return id;
}
