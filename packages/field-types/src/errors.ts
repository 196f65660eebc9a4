/** Why a registry or a pattern was refused. */
export type FieldTypeErrorCode =
  | 'type_key_invalid'
  | 'type_reserved'
  | 'type_duplicate'
  | 'parent_unknown'
  | 'parent_cycle'
  | 'root_incomplete'
  | 'entry_key_invalid'
  | 'entry_duplicate'
  | 'pattern_too_long'
  | 'pattern_invalid'
  | 'pattern_too_complex';

/**
 * An inconsistent registry, or a pattern that cannot be used. `code` is stable; the text is for
 * a developer and may change.
 */
export class FieldTypeError extends Error {
  readonly code: FieldTypeErrorCode;

  constructor(code: FieldTypeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FieldTypeError';
    this.code = code;
  }
}
