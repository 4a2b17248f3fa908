import { CopyButton } from './copy-button.tsx';

/** A command for a terminal, and a button that copies it. */
export function Command({ children }: { readonly children: string }) {
  return (
    <p class="command">
      <code>{children}</code>
      <CopyButton text={() => children} />
    </p>
  );
}
