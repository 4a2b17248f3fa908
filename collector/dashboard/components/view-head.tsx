import type { ComponentChildren } from 'preact';

interface ViewHeadProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The head of a view with its answer in one sentence. */
export function ViewHead({ title, lead, children }: ViewHeadProps) {
  return (
    <section class="finding view-head">
      <h1 class="eyebrow">{title}</h1>
      {lead === undefined ? null : <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
