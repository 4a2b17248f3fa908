import type { ComponentChildren } from 'preact';

interface BoxProps {
  readonly title: string;
  readonly intro?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A titled box of a view. */
export function Box({ title, intro, children }: BoxProps) {
  return (
    <section class="panel box" aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        {intro === undefined ? null : <p class="quiet small box-intro">{intro}</p>}
      </div>
      <div class="box-body">{children}</div>
    </section>
  );
}
