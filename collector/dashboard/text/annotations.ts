/** The texts of the dialog, apart from `t.ts` so that only it loads them. */
export { ANNOTATIONS } from './english/annotations.ts';
