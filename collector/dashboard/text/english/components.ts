export const COMPONENTS = {};
