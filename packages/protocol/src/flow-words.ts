/** The words and bounds of flow definitions (wire 13), without the schema library. */

export const conditionGroups = ['and', 'or', 'not'] as const;
export const conditionComparisons = [
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'in',
  'nin',
  'answered',
  'empty',
  'contains',
  'not_contains',
] as const;
export type ConditionComparison = (typeof conditionComparisons)[number];

export const expressionTypes = ['lit', 'ref', 'today', 'if', 'concat', 'datediff', 'math'] as const;
export type ExpressionType = (typeof expressionTypes)[number];
export const mathOperators = [
  'add',
  'sub',
  'mul',
  'div',
  'mod',
  'neg',
  'abs',
  'round',
  'floor',
  'ceil',
  'max',
  'min',
] as const;
export type MathOperator = (typeof mathOperators)[number];
export const dateUnits = ['days', 'weeks', 'months', 'years'] as const;
export type DateUnit = (typeof dateUnits)[number];

/** What a constant, a literal, and an input or output of a plugin can be. */
export const flowValueTypes = ['text', 'number', 'date', 'boolean'] as const;
export type FlowValueType = (typeof flowValueTypes)[number];
export const flowOutputModes = ['data_only', 'document'] as const;
export const pluginBlockKinds = ['search_select', 'text', 'number', 'date'] as const;

/** The key of a party, a constant, an output, or a block, input or output of a plugin. */
export const FLOW_KEY_PATTERN = '^[a-z][a-z0-9_]{0,39}$';
/** The type of the party that is the company whose flow it is. */
export const OWNER_PARTY = 'owner';
/** Its status would read as that of a run that waits for signatures (wire 13.1). */
export const RESERVED_PARTY_KEY = 'signature';

/** Bounds of a definition and of its evaluation (wire 13.8). */
export const flowLimits = {
  nodesMost: 10_000,
  edgesMost: 20_000,
  partiesMost: 20,
  elementsOfNodeMost: 200,
  elementsMost: 50_000,
  optionsMost: 1_000,
  constantsMost: 1_000,
  outputsOfNodeMost: 50,
  rulesMost: 50,
  /** Blocks, inputs or outputs of a plugin's field type. */
  pluginMembersMost: 50,
  /** Levels of one condition or expression, and the parts that it consists of. */
  depthMost: 1_000,
  partsMost: 10_000,
  /** Characters of a text body, of a label or title, and of a reference to a key, a file or a plugin. */
  bodyMost: 20_000,
  labelMost: 500,
  referenceMost: 200,
  /** Characters of a computed text: constants that double one another would grow without end. */
  computedTextMost: 100_000,
  /** Parts that one evaluation looks at. */
  stepsMost: 1_000_000,
  /** Issues of one definition that are reported. */
  issuesMost: 1_000,
} as const;

/** The columns of the board of a flow: the first two by whom a run waits for, the others by its status. */
export const runColumns = ['customer', 'company', 'generating', 'signature', 'done', 'ended'] as const;
export type RunColumn = (typeof runColumns)[number];
