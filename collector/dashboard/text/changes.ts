/** The lasting changes, which reports name too, apart from `t.ts`: only the overview loads them. */
export { ENGLISH_CHANGES as CHANGES } from '../../analysis/text/english-changes.ts';
