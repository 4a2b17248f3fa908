import { useEffect } from 'preact/hooks';
import { usePage } from '../app/page-context.ts';

/** Announces new content to screen readers. */
export function useAnnouncement(news: string): void {
  const { announce } = usePage();
  useEffect(() => announce(news), [announce, news]);
}
