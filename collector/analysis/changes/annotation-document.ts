/** A note at a moment or over a period, such as a release, as `/api/v1/annotations` answers it. */
export interface AnnotationDocument {
  readonly id: string;
  /** RFC 3339. */
  readonly at: string;
  /** RFC 3339; null for a moment. */
  readonly until: string | null;
  readonly text: string;
  /** The app that it is about; null for all. */
  readonly target: string | null;
  /** The host that it is about; null for all. */
  readonly host: string | null;
  /** The label of a token, or `command line`. */
  readonly author: string;
  readonly createdAt: string;
}

/** Whether it may matter to what is shown of these apps and hosts; none means all of them. */
export function concerns(
  { target, host }: Pick<AnnotationDocument, 'target' | 'host'>,
  apps: readonly string[] = [],
  hosts: readonly string[] = [],
): boolean {
  const matches = (about: string | null, shown: readonly string[]) =>
    about === null || shown.length === 0 || shown.includes(about);
  return matches(target, apps) && matches(host, hosts);
}
