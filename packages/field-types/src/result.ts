/** Why a value was refused. Stable. */
export type ValidationCode =
  | 'string_expected'
  | 'text_malformed'
  | 'date_invalid'
  | 'phone_invalid'
  | 'country_unknown'
  | 'state_unknown'
  | 'options_unavailable'
  | 'option_unknown'
  | 'array_expected'
  | 'object_expected'
  | 'entry_unknown'
  | 'entry_missing'
  | 'member_unknown'
  | 'member_missing'
  | 'member_invalid'
  | 'data_uri_invalid'
  | 'pdf_expected'
  | 'url_invalid'
  | 'card_invalid'
  | 'number_invalid'
  | 'integer_invalid'
  | 'decimal_invalid'
  | 'float_invalid'
  | 'pattern_mismatch';

/**
 * A value in its normal form: text, the picks of a `multilist`, or the members of a composite or an envelope.
 */
export type NormalizedValue = string | string[] | { [key: string]: unknown };

export interface Accepted<T = NormalizedValue> {
  readonly valid: true;
  readonly normalized: T;
}

export interface Refused {
  readonly valid: false;
  readonly code: ValidationCode;
  /** JSON Pointer (RFC 6901) into the value; `''` is the value itself. */
  readonly path: string;
  /** For a developer; never holds any part of the value. */
  readonly message: string;
}

/** The result of validating one value. */
export type ValidationResult = Accepted | Refused;

/** The result of one step, with the type that the step returns. */
export type Outcome<T> = Accepted<T> | Refused;

export function accept<T>(normalized: T): Accepted<T> {
  return { valid: true, normalized };
}

export function refuse(code: ValidationCode, message: string, path = ''): Refused {
  return { valid: false, code, path, message };
}

/** The same refusal, with the path extended by the parent. */
export function within(segment: string | number, refused: Refused): Refused {
  return { ...refused, path: `/${segment}${refused.path}` };
}
