import { type Static, Type } from 'typebox';
import { object, words } from '../vocabulary/json-schema.ts';
import { VARIABLE_NAME } from './variables.ts';

const MAX_ALTERNATIVES = 50;
const MAX_SELECTOR_LENGTH = 4000;
const MAX_DEPTH = 20;
const MAX_TIMEOUT_MS = 600_000;
const MAX_THINK_MS = 600_000;
/** Pixels; more than any screen or page has. */
const MAX_PIXELS = 10_000_000;

const Timeout = Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TIMEOUT_MS }));
const Pixels = Type.Number({ minimum: -MAX_PIXELS, maximum: MAX_PIXELS });
const Label = Type.String({ minLength: 1, maxLength: 100 });
const Selector = Type.String({ minLength: 1, maxLength: MAX_SELECTOR_LENGTH });

/** Alternatives, the best one first. A list leads through shadow roots and ancestors: its last one is the element. */
const Selectors = Type.Array(Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: MAX_DEPTH })]), {
  minItems: 1,
  maxItems: MAX_ALTERNATIVES,
});

/** What a step may say to Lastbyte alone. */
const StepAdditions = {
  name: Type.Optional(Label),
  thresholdMs: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TIMEOUT_MS })),
  thinkMs: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_THINK_MS })),
};

const step = {
  timeout: Timeout,
  assertedEvents: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.Literal('navigation'),
        url: Type.Optional(Type.String()),
        title: Type.Optional(Type.String()),
      }),
      { maxItems: 10 },
    ),
  ),
  /** `main`, or the address of a frame. */
  target: Type.Optional(Type.String({ maxLength: 4000 })),
  lastbyte: Type.Optional(object(StepAdditions)),
};
const inFrame = {
  ...step,
  frame: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 1000 }), { maxItems: MAX_DEPTH })),
};
const onElement = { ...inFrame, selectors: Selectors };
const click = {
  ...onElement,
  offsetX: Type.Optional(Pixels),
  offsetY: Type.Optional(Pixels),
  button: Type.Optional(words(['primary', 'auxiliary', 'secondary', 'back', 'forward'])),
  deviceType: Type.Optional(words(['mouse', 'pen', 'touch'])),
  duration: Type.Optional(Type.Number({ minimum: 0, maximum: 60_000 })),
};
const Size = Type.Integer({ minimum: 1, maximum: 10_000 });
const Key = Type.String({ minLength: 1, maxLength: 30 });

/**
 * What the Recorder panel of Chrome DevTools exports as JSON, and `@puppeteer/replay` reads: a title and the steps of a user.
 * Names that are not listed here belong to other tools, and are kept and ignored. What Lastbyte adds is under `lastbyte`.
 * https://github.com/puppeteer/replay/blob/main/src/Schema.ts
 */
export const STEP_SCHEMAS = {
  setViewport: Type.Object({ ...step, type: Type.Literal('setViewport'), width: Size, height: Size }),
  navigate: Type.Object({ ...step, type: Type.Literal('navigate'), url: Type.String({ maxLength: 4000 }) }),
  click: Type.Object({ ...click, type: Type.Literal('click') }),
  doubleClick: Type.Object({ ...click, type: Type.Literal('doubleClick') }),
  hover: Type.Object({ ...onElement, type: Type.Literal('hover') }),
  change: Type.Object({
    ...onElement,
    type: Type.Literal('change'),
    value: Type.String({ maxLength: 10_000 }),
    lastbyte: Type.Optional(
      object({ ...StepAdditions, variable: Type.Optional(Type.String({ pattern: `^${VARIABLE_NAME}$` })) }),
    ),
  }),
  keyDown: Type.Object({ ...step, type: Type.Literal('keyDown'), key: Key }),
  keyUp: Type.Object({ ...step, type: Type.Literal('keyUp'), key: Key }),
  scroll: Type.Object({
    ...inFrame,
    type: Type.Literal('scroll'),
    selectors: Type.Optional(Selectors),
    x: Type.Optional(Pixels),
    y: Type.Optional(Pixels),
  }),
  waitForElement: Type.Object({
    ...onElement,
    type: Type.Literal('waitForElement'),
    operator: Type.Optional(words(['>=', '==', '<='])),
    count: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    visible: Type.Optional(Type.Boolean()),
    properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    attributes: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
};
export type StepType = keyof typeof STEP_SCHEMAS;
type StepOf = { readonly [Kind in StepType]: Static<(typeof STEP_SCHEMAS)[Kind]> };
export type Step<Kind extends StepType = StepType> = StepOf[Kind];
export type ElementStep = Step<'click' | 'doubleClick' | 'hover' | 'change' | 'waitForElement'>;
export type SelectorList = Static<typeof Selectors>;

/** A recording but for its steps, each of which has the schema of its type. */
export const RecordingHead = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 500 }),
  timeout: Timeout,
  selectorAttribute: Type.Optional(Type.String({ maxLength: 200 })),
  steps: Type.Array(Type.Unknown(), { minItems: 1 }),
  lastbyte: Type.Optional(
    object({
      id: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' })),
      target: Type.Optional(Type.String({ minLength: 1, maxLength: 63 })),
      repeatable: Type.Optional(Type.Boolean()),
    }),
  ),
});
export type Recording = Omit<Static<typeof RecordingHead>, 'steps'> & { readonly steps: readonly Step[] };
