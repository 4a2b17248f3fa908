export const OVERVIEW = {};
