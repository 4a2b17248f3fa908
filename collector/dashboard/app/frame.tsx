import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isPlainClick } from '../components/route-link.tsx';
import { t } from '../text/t.ts';

interface FrameProps {
  /** Handles a plain click on the product's name; if absent, the page is reloaded. */
  home?(): void;
  readonly navigation?: ComponentChildren;
  readonly status?: ComponentChildren;
  readonly account?: ComponentChildren;
  readonly controls?: ComponentChildren;
  /** Warnings that concern every view. */
  readonly banner?: ComponentChildren;
  /** Moves the focus to the content. */
  readonly focused?: boolean;
  /** The content has a table with the id `rows`. */
  readonly skipToTable?: boolean;
  readonly children: ComponentChildren;
}

/** The regions of the page. */
export function Frame({
  home,
  navigation,
  status,
  account,
  controls,
  banner,
  focused = false,
  skipToTable = false,
  children,
}: FrameProps) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    if (focused) main.current?.focus();
  }, [focused]);
  return (
    <>
      <div class="skips">
        <SkipLink to="main" text={t.app.skip} />
        {controls ? <SkipLink to="controls" text={t.app.skipToFilters} /> : null}
        {skipToTable ? <SkipLink to="rows" text={t.app.skipToTable} /> : null}
      </div>
      <header class="top">
        <div id="header">
          <a
            class="brand"
            href="/"
            onClick={(event) => {
              if (home === undefined || !isPlainClick(event)) return;
              event.preventDefault();
              home();
            }}
          >
            <BrandMark />
            Lastbyte
          </a>
        </div>
        {navigation ?? <nav id="views" aria-label={t.app.viewsLabel} />}
        <div id="status">{status}</div>
        <div id="account">{account}</div>
      </header>
      <section id="controls" tabindex={-1} aria-label={t.app.controlsLabel}>
        {controls}
      </section>
      <div id="banner">{banner}</div>
      <main id="main" ref={main} tabindex={-1}>
        {children}
      </main>
    </>
  );
}

/** Moves the focus, and leaves the address alone: it is the view's. */
function SkipLink({ to, text }: { readonly to: string; readonly text: string }) {
  return (
    <a
      class="skip"
      href={`#${to}`}
      onClick={(event) => {
        event.preventDefault();
        const target = document.getElementById(to);
        target?.scrollIntoView({ block: 'start' });
        target?.focus({ preventScroll: true });
      }}
    >
      {text}
    </a>
  );
}

/** Four phases of a request as bars. */
function BrandMark() {
  return (
    <svg width={22} height={22} viewBox="0 0 22 22" aria-hidden="true">
      <rect x={1} y={1} width={6} height={4} rx={1.5} fill="var(--phase-tcp)" />
      <rect x={5} y={6.5} width={6} height={4} rx={1.5} fill="var(--phase-tls)" />
      <rect x={9} y={12} width={8} height={4} rx={1.5} fill="var(--phase-wait)" />
      <rect x={15} y={17.5} width={6} height={4} rx={1.5} fill="var(--phase-receive)" />
    </svg>
  );
}
