/** The places of index.html that the dashboard fills. */
export interface Regions {
  readonly header: HTMLElement;
  readonly views: HTMLElement;
  readonly status: HTMLElement;
  readonly account: HTMLElement;
  readonly controls: HTMLElement;
  /** What concerns every view. */
  readonly banner: HTMLElement;
  readonly main: HTMLElement;
  /** A polite live region: what changed, in a few words. */
  readonly news: HTMLElement;
}
