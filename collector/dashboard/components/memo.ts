import { Component, createElement, type FunctionComponent } from 'preact';

/** Renders again only if the props changed, like `memo` of preact/compat. */
export function memo<Props extends object>(
  Inner: FunctionComponent<Props>,
  same: (before: Props, after: Props) => boolean = sameValues,
) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return !same(this.props, next);
    }

    override render() {
      return createElement(Inner, this.props);
    }
  };
}

function sameValues<Props extends object>(before: Props, after: Props): boolean {
  const names = Object.keys({ ...before, ...after }) as (keyof Props)[];
  return names.every((name) => before[name] === after[name]);
}
