import type { ButtonHTMLAttributes } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text/t.ts';
import { copyText } from './save.ts';

/** How long the button shows the result, ms. */
const SAID_FOR = 2000;

interface CopyButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> {
  /** Called on demand, because it may change or have to be read first; null if it cannot be had. */
  text(): string | null | Promise<string | null>;
}

/** Copies a text to the clipboard and shows whether it worked. */
export function CopyButton({ text, ...rest }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_FOR);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <button
      type="button"
      class="copy"
      {...rest}
      onClick={async () => {
        const copied = await text();
        if (copied === null) return;
        setSaid((await copyText(copied)) ? t.components.copied : t.components.notAllowed);
      }}
    >
      {said ?? t.components.copy}
    </button>
  );
}
