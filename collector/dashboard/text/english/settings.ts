export const SETTINGS = {};
