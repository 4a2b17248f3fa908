import type { Json } from '../model/settings-diff.ts';
import { copyButton } from '../render/copy-button.ts';
import { button, element } from '../render/element.ts';
import type { SectionContext } from './section.ts';

/** The whole document as text, for parts without a form and for pasting. */
export function jsonSection({ editor, readOnly }: SectionContext): HTMLElement {
  const text = element('textarea', {
    id: 'settings-json',
    rows: 18,
    spellcheck: 'false',
    'aria-describedby': 'settings-json-problem',
    'data-focus': 'settings json',
    readonly: readOnly,
  });
  text.value = JSON.stringify(editor.draft, null, 2);
  const problem = element('p', { class: 'problem small', id: 'settings-json-problem', role: 'alert' });
  const use = () => {
    try {
      editor.replace(JSON.parse(text.value) as Json);
    } catch (error) {
      problem.textContent = `Invalid JSON: ${error instanceof Error ? error.message : String(error)}. Nothing was changed.`;
      text.setAttribute('aria-invalid', 'true');
    }
  };
  return element(
    'details',
    { class: 'panel item json', 'data-keep': true },
    element(
      'summary',
      { 'data-focus': 'json' },
      element('strong', {}, 'All settings as JSON'),
      element('span', { class: 'quiet small' }, ' as printed by lastbyte settings show'),
    ),
    element(
      'div',
      { class: 'item-body' },
      element('label', { for: 'settings-json', class: 'spoken' }, 'Settings as JSON'),
      text,
      problem,
      element(
        'p',
        { class: 'actions' },
        readOnly ? null : button({ 'data-focus': 'use json' }, use, 'Apply to form'),
        copyButton('the settings', text.value),
      ),
    ),
  );
}
