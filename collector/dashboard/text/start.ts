/** The texts of the guide, apart from `t.ts` so that they load with it. */
export { START } from './english/start.ts';
