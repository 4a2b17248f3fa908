import { useEffect } from 'preact/hooks';
import { usePage } from '../app/page-context.ts';

/** Tells screen readers what has come to the page. */
export function useAnnouncement(news: string): void {
  const { announce } = usePage();
  useEffect(() => announce(news), [announce, news]);
}
