import { useState } from 'preact/hooks';
import { describeError } from '../api/describe-error.ts';

interface Action {
  readonly busy: boolean;
  /** Why the last one failed; null if it did not. */
  readonly error: unknown;
  run(act: () => Promise<void>): Promise<void>;
}

/** Something that a button does at the collector. */
export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ busy: false, error: null });
  return {
    ...state,
    async run(act) {
      setState({ busy: true, error: null });
      try {
        await act();
        setState({ busy: false, error: null });
      } catch (error) {
        setState({ busy: false, error });
      }
    },
  };
}

export function Problem({ error }: Pick<Action, 'error'>) {
  return (
    <p class="problem" role="alert">
      {error === null ? '' : describeError(error)}
    </p>
  );
}
