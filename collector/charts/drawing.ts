/** A chart, and what in it can be pointed at. */
export interface Drawing {
  readonly svg: SVGSVGElement;
  /** In reading order. */
  readonly marks: readonly Mark[];
}

/** A step, bar or piece of a chart: where it is, and what it stands for. */
export interface Mark {
  /** px within the SVG. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** `09:00 – 09:15`. */
  readonly title: string;
  readonly lines: readonly MarkLine[];
  /** Epoch ms; the marks of a chart over time can be selected to zoom. */
  readonly range?: { readonly from: number; readonly to: number };
  /** Which requests are behind it, as parameters of `/api/v1/samples`. */
  readonly requests?: Readonly<Record<string, string | readonly string[]>>;
}

export interface MarkLine {
  readonly label: string;
  readonly value: string;
  /** A custom property of colours.css: `--phase-tls`. */
  readonly colour?: string;
}
