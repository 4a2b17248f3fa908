import { useEffect, useRef } from 'preact/hooks';

interface SignInProps {
  /** Why the last attempt failed. */
  readonly problem: string | null;
  signIn(token: string): void;
}

/** The token form. */
export function SignIn({ problem, signIn }: SignInProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Lastbyte';
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
      <h1>Sign in</h1>
      <p class="quiet">What do your users really wait for: TLS, the network or the server?</p>
      <label for="token">Token</label>
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
        Sign in
      </button>
      <p id="token-help" class="quiet small">
        The collector prints an admin token at its first start. To create another:{' '}
        <code>lastbyte token create --role read</code>
      </p>
    </form>
  );
}
