import type { FieldTypeRow } from '@symbolon/protocol';
import {
  FIELD_TYPE_KEY_PATTERN,
  FIELD_TYPE_VALIDATION_MOST,
  fieldChecks,
  fieldInputs,
  fieldLanes,
  limits,
} from '@symbolon/protocol/constants';
import { type FieldTypeIssue, issue } from './issue.ts';
import { membersOf, pointerSegment } from './json.ts';
import { isCleanText } from './text.ts';

/** A row of unknown origin, as a row when each of its members has the right shape by itself. */
export function parseRow(
  value: unknown,
): { valid: true; row: FieldTypeRow } | { valid: false; issues: FieldTypeIssue[] } {
  const issues = [...checkObject(value, rowMembers, '')];
  return issues.length === 0 ? { valid: true, row: value as FieldTypeRow } : { valid: false, issues };
}

type Check = (value: unknown, path: string) => Iterable<FieldTypeIssue>;

function* checkObject(
  value: unknown,
  shape: ReadonlyMap<string, Check>,
  path: string,
): Generator<FieldTypeIssue> {
  const members = membersOf(value);
  if (members === undefined) {
    yield issue('shape_invalid', path, `An object with the members ${[...shape.keys()].join(', ')}.`);
    return;
  }
  for (const key of members.keys()) {
    if (shape.has(key)) continue;
    const segment = pointerSegment(key);
    yield issue(
      'shape_invalid',
      segment === undefined ? path : `${path}/${segment}`,
      'There is no such member.',
    );
  }
  for (const [key, check] of shape) {
    if (members.has(key)) yield* check(members.get(key), `${path}/${key}`);
    else yield issue('shape_invalid', `${path}/${key}`, 'This member is missing.');
  }
}

/** A check of one value, with the issue it makes. */
function only(
  holds: (value: unknown) => boolean,
  message: string,
  code: FieldTypeIssue['code'] = 'shape_invalid',
): Check {
  return (value, path) => (holds(value) ? [] : [issue(code, path, message)]);
}

function orNull(check: Check): Check {
  return (value, path) => (value === null ? [] : check(value, path));
}

function oneOf(names: readonly string[]): Check {
  return only((value) => names.some((name) => name === value), `One of ${names.join(', ')}.`);
}

function listOf(check: Check): Check {
  return function* (value, path) {
    if (!Array.isArray(value)) yield issue('shape_invalid', path, 'A list.');
    else for (const [index, item] of value.entries()) yield* check(item, `${path}/${index}`);
  };
}

function isShown(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LABEL_MOST && SHOWN.test(value);
}

/** Characters of a label or an option. */
const LABEL_MOST = 200;
const SHOWN = new RegExp(limits.shownText, 'u');
const KEY = new RegExp(FIELD_TYPE_KEY_PATTERN);

const isKey = (value: unknown) => typeof value === 'string' && KEY.test(value);
const typeKey = only(isKey, 'A name of 1 to 40 characters a-z, 0-9 and _.', 'type_key_invalid');
const entryKey = only(isKey, 'A name of 1 to 40 characters a-z, 0-9 and _.', 'entry_key_invalid');
const parentKey = only(isKey, 'There is no such parent.', 'parent_unknown');
const label = only(isShown, `A text of 1 to ${LABEL_MOST} characters.`, 'label_invalid');
const option = only(isShown, `A text of 1 to ${LABEL_MOST} characters.`, 'option_invalid');
const flag = only((value) => typeof value === 'boolean', 'true or false.');
const text = only((value) => typeof value === 'string' && isCleanText(value), 'A text.');
const validation: Check = (value, path) =>
  typeof value === 'string' && value.length > FIELD_TYPE_VALIDATION_MOST
    ? [issue('pattern_too_long', path, `A text of at most ${FIELD_TYPE_VALIDATION_MOST} characters.`)]
    : text(value, path);

/** Each option once. */
const options: Check = function* (value, path) {
  yield* listOf(option)(value, path);
  if (Array.isArray(value) && new Set(value).size < value.length) {
    yield issue('option_invalid', path, 'An option stands there twice.');
  }
};

const entryMembers: ReadonlyMap<string, Check> = new Map([
  ['key', entryKey],
  ['input', oneOf(fieldInputs)],
  ['required', flag],
  ['check', orNull(oneOf(fieldChecks))],
  ['validation', orNull(validation)],
  ['options', orNull(options)],
]);

const rowMembers: ReadonlyMap<string, Check> = new Map([
  ['type', typeKey],
  ['parent', orNull(parentKey)],
  ['label', label],
  ['input', orNull(oneOf(fieldInputs))],
  ['lane', orNull(oneOf(fieldLanes))],
  ['check', orNull(oneOf(fieldChecks))],
  ['options', orNull(options)],
  ['fields', orNull(listOf((value, path) => checkObject(value, entryMembers, path)))],
  ['validation', orNull(validation)],
  ['is_system', flag],
]);
