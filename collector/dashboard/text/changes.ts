/** The lasting changes, apart from `t.ts`: only the overview needs it. */
export { ENGLISH_CHANGES as CHANGES } from '../../analysis/text/english-changes.ts';
