/** Keys of types and entries; `constructor` and `__proto__` are legal, so store them only in maps. */
export const FIELD_TYPE_KEY_PATTERN = '^[a-z0-9_]{1,40}$';

/** The reserved type of a plugin answer: never a registry row (wire 2.4). */
export const PLUGIN_TYPE = 'plugin';

/** Characters a stored `validation` may have. */
export const FIELD_TYPE_VALIDATION_MOST = 200;

/** Closed vocabularies of the columns input, lane and check. */
export const fieldInputs = [
  'line',
  'date',
  'list',
  'multilist',
  'country',
  'nationality',
  'state',
  'phone',
  'composite',
  'file',
  'pages',
] as const;

export const fieldLanes = ['inline', 'photo', 'document'] as const;

export const fieldChecks = ['url', 'card', 'number', 'integer', 'decimal', 'float', 'pdf'] as const;
