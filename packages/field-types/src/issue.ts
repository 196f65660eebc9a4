import type { FieldTypeErrorCode } from './errors.ts';

/** What keeps a row from being added. Stable codes. */
export type FieldTypeIssueCode =
  | FieldTypeErrorCode
  | 'shape_invalid'
  | 'label_invalid'
  | 'option_invalid'
  | 'type_taken'
  | 'system_reserved'
  | 'input_missing'
  | 'lane_missing'
  | 'fields_missing'
  | 'options_missing'
  | 'entry_reserved'
  | 'input_conflict'
  | 'lane_conflict'
  | 'check_conflict'
  | 'options_conflict'
  | 'fields_conflict'
  | 'validation_conflict';

export interface FieldTypeIssue {
  readonly code: FieldTypeIssueCode;
  /** JSON Pointer (RFC 6901) into the row; `''` is the row itself. */
  readonly path: string;
  /** For the operator who writes the row. */
  readonly message: string;
}

export function issue(code: FieldTypeIssueCode, path: string, message: string): FieldTypeIssue {
  return { code, path, message };
}
