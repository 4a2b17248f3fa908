import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PHASES } from '../../../shared/vocabulary/time-names.ts';

const css = readFileSync(new URL('../../../collector/dashboard/styles/colours.css', import.meta.url), 'utf8');
const [light = '', dark = ''] = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, body]) => body ?? '');
const SCHEMES = { light: variables(light), dark: { ...variables(light), ...variables(dark) } };

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for graphical objects. */
const TEXT = 4.5;
const PICTURE = 3;

describe.each(Object.entries(SCHEMES))('colours, %s', (_scheme, colours) => {
  /** Some have the colour of another one. */
  const colourOf = (name: string): string => {
    const value = colours[name] ?? '';
    return value.startsWith('var(') ? colourOf(value.slice('var(--'.length, -1)) : value;
  };
  const between = (one: string, other: string) => contrast(colourOf(one), colourOf(other));

  it.each([
    ['ink', 'page'],
    ['ink', 'panel'],
    ['ink', 'hover'],
    ['ink', 'accent-soft'],
    ['quiet', 'page'],
    ['quiet', 'panel'],
    ['quiet', 'hover'],
    ['link', 'page'],
    ['link', 'panel'],
    ['link', 'hover'],
    ['problem', 'panel'],
    ['warn', 'warn-soft'],
    ['link', 'warn-soft'],
    ['on-accent', 'accent'],
    ['page', 'ink'],
    ...['blocked', 'dns', 'tcp', 'tls', 'wait', 'receive', 'rest'].map((name) => [`on-phase-${name}`, `phase-${name}`]),
    ...['new', 'reused', 'cache', 'opaque', 'worker', 'failed', 'unknown'].map((name) => [
      `on-connection-${name}`,
      `connection-${name}`,
    ]),
  ])('%s on %s can be read', (text = '', ground = '') => {
    expect(between(text, ground)).toBeGreaterThanOrEqual(TEXT);
  });

  it.each(['spread-median', 'accent', 'mean'])('%s has enough contrast on the panel', (name) => {
    const colour = name === 'spread-median' ? 'ink' : name;
    expect(between(colour, 'panel')).toBeGreaterThanOrEqual(PICTURE);
  });

  it('distinguishes neighbouring phases in greyscale', () => {
    const greys = PHASES.map((phase) => lightness(colours[`phase-${phase}`] ?? ''));
    for (const [index, grey] of greys.slice(1).entries()) {
      expect(Math.abs(grey - (greys[index] ?? 0)), `${PHASES[index]} and ${PHASES[index + 1]}`).toBeGreaterThanOrEqual(
        12,
      );
    }
  });
});

function variables(body: string): Record<string, string> {
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6}|var\(--[\w-]+\))/g)].map(([, name, value]) => [name, value]),
  );
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** CIE L*, 0 black … 100 white: a colour's lightness in greyscale. */
function lightness(hex: string): number {
  const y = luminance(hex);
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}
