import { element } from '../render/element.ts';

/** The token form. `problem` is why the last attempt failed. */
export function signInView(problem: string | null, signIn: (token: string) => void): HTMLElement {
  const field = element('input', {
    id: 'token',
    name: 'token',
    type: 'password',
    autocomplete: 'current-password',
    spellcheck: 'false',
    required: true,
    'aria-describedby': 'token-help',
    'aria-invalid': problem === null ? null : 'true',
  });
  const form = element(
    'form',
    { class: 'sign-in' },
    element('h1', {}, 'Sign in'),
    element('p', { class: 'quiet' }, 'What do your users really wait for: TLS, the network or the server?'),
    element('label', { for: 'token' }, 'Token'),
    field,
    element('p', { id: 'token-problem', class: 'problem', role: 'alert' }, problem ?? ''),
    element('button', { type: 'submit', class: 'primary' }, 'Sign in'),
    element(
      'p',
      { id: 'token-help', class: 'quiet small' },
      'The collector prints an admin token at its first start. To create another: ',
      element('code', {}, 'lastbyte token create --role read'),
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const token = field.value.trim();
    if (token !== '') signIn(token);
  });
  return form;
}
