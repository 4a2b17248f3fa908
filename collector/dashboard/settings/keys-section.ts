import { describeError } from '../api/describe-error.ts';
import { copyButton } from '../render/copy-button.ts';
import { button, element } from '../render/element.ts';
import { panelBox } from '../render/panel-box.ts';
import type { ViewContext } from '../render/view.ts';
import { formatMoment } from '../state/time-range.ts';
import { openDialog } from './dialog.ts';

type Role = 'ingest' | 'read' | 'admin';
interface Token {
  readonly id: string;
  readonly role: Role;
  readonly label: string;
  readonly createdAt: string;
  readonly current: boolean;
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  ingest: 'browsers: send samples, nothing else',
  read: 'viewer: read every report',
  admin: 'administrator: change settings and keys',
};

/** Keys of browsers and people. A new one is shown once; a revoked one ends at once. */
export function keysSection({ client, scope, announce }: ViewContext): HTMLElement {
  const list = element('div', {});
  const draw = () => {
    list.replaceChildren(
      scope.panel<{ readonly tokens: readonly Token[] }>({
        // A key of its own each time: what was just made or revoked is in no earlier answer.
        key: `tokens ${++reading}`,
        name: 'Keys',
        shape: 'chart',
        read: (signal) => client.read('/tokens', signal),
        render: ({ tokens }) => [tokenTable(tokens, (token) => revoke(token, tokens))],
      }),
    );
  };

  function revoke(token: Token, all: readonly Token[]): void {
    const dialog = openDialog();
    const admins = all.filter(({ role }) => role === 'admin').length;
    dialog.fill(
      `Revoke ${nameOf(token)}?`,
      [
        element('p', {}, consequence(token)),
        token.role === 'admin' && admins === 1
          ? element(
              'p',
              { class: 'notice' },
              'It is the last one of an administrator. Another one can then be made on the server only: lastbyte token create --role admin',
            )
          : null,
      ],
      [
        {
          label: 'Revoke',
          kind: 'danger',
          async act() {
            await client
              .send(`/tokens/${encodeURIComponent(token.id)}`, { method: 'DELETE' })
              .catch((error: unknown) => {
                throw new Error(describeError(error));
              });
            announce(`${nameOf(token)} is revoked`);
            if (token.current) location.reload();
            else draw();
            return true;
          },
        },
      ],
    );
  }

  draw();
  return panelBox(
    'Keys',
    'Tokens of browsers and people. Only their hashes are stored.',
    createForm(async (role, label) => {
      const { document } = await client.send('/tokens', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ role, label }),
      });
      showToken(role, label, (document as { token: string }).token);
      draw();
    }),
    list,
  );
}

let reading = 0;

function createForm(create: (role: Role, label: string) => Promise<void>): HTMLFormElement {
  const role = element(
    'select',
    { id: 'key-role', 'data-focus': 'key role' },
    ...Object.entries(ROLE_WORDS).map(([value, words]) => element('option', { value }, words)),
  );
  const label = element('input', {
    id: 'key-label',
    maxlength: 100,
    placeholder: 'sales laptops',
    autocomplete: 'off',
    'data-focus': 'key label',
  });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const form = element(
    'form',
    { class: 'key-form' },
    element('div', { class: 'field' }, element('label', { for: 'key-role' }, 'A key for'), role),
    element('div', { class: 'field' }, element('label', { for: 'key-label' }, 'What it is for'), label),
    element('button', { type: 'submit', 'data-focus': 'key create' }, 'Create key'),
    problem,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    try {
      await create(role.value as Role, label.value.trim());
      label.value = '';
    } catch (error) {
      problem.textContent = describeError(error);
    }
  });
  return form;
}

function showToken(role: Role, label: string, token: string): void {
  const field = element('input', { id: 'new-token', readonly: true, spellcheck: 'false', class: 'token' });
  field.value = token;
  field.addEventListener('focus', () => field.select());
  openDialog().fill(
    'Copy this key now',
    [
      element(
        'p',
        {},
        `The key${label === '' ? '' : ` “${label}”`} is shown this once. It cannot be shown again, only replaced by a new one.`,
      ),
      element(
        'div',
        { class: 'token-line' },
        element('label', { for: 'new-token', class: 'spoken' }, 'Key'),
        field,
        copyButton('the key', token),
      ),
      element(
        'p',
        { class: 'quiet small' },
        role === 'ingest'
          ? 'It goes into the policy that rolls the extension out, or into the extension’s options, with the address of this collector.'
          : 'It is typed in at sign-in, or sent as authorization: Bearer.',
      ),
    ],
    [],
    'I have copied it',
  );
}

function tokenTable(tokens: readonly Token[], revoke: (token: Token) => void): HTMLElement {
  return element(
    'div',
    { class: 'table-box', tabindex: 0, role: 'region', 'aria-label': 'List of keys', 'data-focus': 'table keys' },
    element(
      'table',
      { class: 'numbers keys' },
      element('caption', { class: 'spoken' }, 'Keys'),
      element('thead', {}, element('tr', {}, ...['What it is for', 'Role', 'Made', ''].map(headCell))),
      element(
        'tbody',
        {},
        ...tokens.map((token) =>
          element(
            'tr',
            {},
            element(
              'th',
              { scope: 'row', class: 'text' },
              token.label || '(no label)',
              token.current ? element('span', { class: 'badge' }, 'yours') : null,
            ),
            element('td', { class: 'text' }, token.role),
            element('td', { class: 'text' }, formatMoment(Date.parse(token.createdAt))),
            element(
              'td',
              {},
              button(
                { class: 'plain danger', 'aria-label': `Revoke ${nameOf(token)}`, 'data-focus': `revoke ${token.id}` },
                () => revoke(token),
                'Revoke',
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

function headCell(words: string): HTMLElement {
  return words === '' ? element('td', {}) : element('th', { scope: 'col', class: 'text' }, words);
}

function nameOf({ label, role }: Token): string {
  return label === '' ? `the ${role} key` : `“${label}”`;
}

function consequence({ role, current }: Token): string {
  if (current) return 'You are signed in with it: you will be signed out at once.';
  return role === 'ingest'
    ? 'Browsers that use it stop sending at once, and keep what they measure for up to 7 days until they get another key.'
    : 'Whoever uses it is signed out at once, and scripts with it stop working.';
}
