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
  ingest: 'browsers: send samples only',
  read: 'viewer: read reports',
  admin: 'administrator: change settings and keys',
};

/** Keys of browsers and users. A new key is shown once; a revoked one is invalid at once. */
export function keysSection({ client, scope, announce }: ViewContext): HTMLElement {
  const list = element('div', {});
  const draw = () => {
    list.replaceChildren(
      scope.panel<{ readonly tokens: readonly Token[] }>({
        // A new key each time: a cached answer lacks the newest changes.
        key: `tokens ${++reads}`,
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
              'It is the last administrator key. A new one can then be created only on the server: lastbyte token create --role admin',
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
            announce(`${nameOf(token)} was revoked`);
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
    'Tokens for browsers and users. Only their hashes are stored.',
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

let reads = 0;

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
    element('div', { class: 'field' }, element('label', { for: 'key-role' }, 'Key for'), role),
    element('div', { class: 'field' }, element('label', { for: 'key-label' }, 'Label'), label),
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
        `The key${label === '' ? '' : ` “${label}”`} is shown only once. If you lose it, create a new one.`,
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
          ? 'Enter it with this collector’s address in the policy that rolls out the extension, or in the extension’s options.'
          : 'Use it to sign in, or send it in the header authorization: Bearer.',
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
      element('thead', {}, element('tr', {}, ...['Label', 'Role', 'Created', ''].map(headCell))),
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
  if (current) return 'You are signed in with this key and will be signed out at once.';
  return role === 'ingest'
    ? 'Browsers that use it can no longer send. They keep their samples for up to 7 days, until they get another key.'
    : 'Users of this key are signed out at once, and scripts that use it stop working.';
}
