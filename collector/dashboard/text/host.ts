/** The texts of this view, apart from `t.ts` so that only the view loads them. */
export { HOST } from './english/host.ts';
