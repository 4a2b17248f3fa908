/** The elements of index.html that the dashboard fills. */
export interface Regions {
  readonly header: HTMLElement;
  readonly views: HTMLElement;
  readonly status: HTMLElement;
  readonly account: HTMLElement;
  readonly controls: HTMLElement;
  /** Warnings that concern every view. */
  readonly banner: HTMLElement;
  readonly main: HTMLElement;
  /** A polite live region for screen readers. */
  readonly news: HTMLElement;
}
