/** Source of the samples of scripts. Their steps ask for different things, so they are of no scenario. */
export const SCRIPT_SOURCE = 'probe-script';
