import type { ComponentChildren } from 'preact';

/** Text for screen readers only. */
export function Spoken(props: { readonly children: ComponentChildren; readonly role?: 'status' }) {
  return <span class="spoken" {...props} />;
}
