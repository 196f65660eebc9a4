import type { FieldCheck, FieldInput, FieldTypeRow } from '@symbolon/protocol';
import { type FieldTypeIssue, issue } from './issue.ts';
import type { ResolvedFieldType } from './resolve-rows.ts';

/**
 * The columns by which a row overrides its parent's. They only narrow: a request for the parent may be answered with a
 * value of the child (wire 2.4, answering rule), so it must be a value of the parent too.
 */
export function* checkOverrides(row: FieldTypeRow, parent: ResolvedFieldType): Generator<FieldTypeIssue> {
  const { input, lane, check, options, fields } = row;
  if (input !== null && input !== parent.input && !(narrowerInputs.get(parent.input) ?? []).includes(input)) {
    yield issue('input_conflict', '/input', `Input ${input} does not narrow the parent's ${parent.input}.`);
  }
  if (lane !== null && lane !== parent.lane) {
    yield issue('lane_conflict', '/lane', `A value stays on the parent's lane, ${parent.lane}.`);
  }
  if (check !== null && parent.check !== null && check !== parent.check) {
    if (!(narrowerChecks.get(parent.check) ?? []).includes(check)) {
      yield issue('check_conflict', '/check', `Check ${check} does not narrow the parent's ${parent.check}.`);
    }
  }
  if (options !== null && parent.options !== null && parent.options.length > 0) {
    const allowed = new Set(parent.options);
    if (options.length === 0 || options.some((option) => !allowed.has(option))) {
      yield issue('options_conflict', '/options', "The options are some of the parent's.");
    }
  }
  if (fields !== null && parent.input === 'composite') {
    const allowed = new Set(parent.fields?.map(({ key }) => key));
    if (fields.some(({ key }) => !allowed.has(key))) {
      yield issue('fields_conflict', '/fields', "The entries are some of the parent's.");
    }
  }
}

/** A free line may become any other single string, a file the pages of an ID document. */
const narrowerInputs: ReadonlyMap<FieldInput, readonly FieldInput[]> = new Map<FieldInput, FieldInput[]>([
  ['line', ['date', 'list', 'country', 'nationality', 'state', 'phone']],
  ['file', ['pages']],
]);

const narrowerChecks: ReadonlyMap<FieldCheck, readonly FieldCheck[]> = new Map<FieldCheck, FieldCheck[]>([
  ['number', ['integer', 'decimal', 'float']],
  ['float', ['integer', 'decimal']],
]);
