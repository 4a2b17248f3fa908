import { useEffect, useRef } from 'preact/hooks';
import { t } from '../text/t.ts';

const texts = t.app.signIn;

interface SignInProps {
  /** Why the last attempt failed. */
  readonly problem: string | null;
  signIn(token: string): void;
}

/** The token form. */
export function SignIn({ problem, signIn }: SignInProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${texts.title} · Lastbyte`;
    field.current?.focus();
  }, []);
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        const token = field.current?.value.trim() ?? '';
        if (token !== '') signIn(token);
      }}
    >
      <h1>{texts.title}</h1>
      <p class="quiet">{texts.question}</p>
      <label for="token">{texts.token}</label>
      <input
        ref={field}
        id="token"
        name="token"
        type="password"
        autocomplete="current-password"
        spellcheck={false}
        required
        aria-describedby="token-help"
        {...(problem === null ? {} : { 'aria-invalid': true })}
      />
      <p id="token-problem" class="problem" role="alert">
        {problem}
      </p>
      <button type="submit" class="primary">
        {texts.title}
      </button>
      <p id="token-help" class="quiet small">
        {`${texts.help} `}
        <code>lastbyte token create --role read</code>
      </p>
    </form>
  );
}
