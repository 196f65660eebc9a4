import { type Static, Type } from 'typebox';
import {
  FIELD_TYPE_KEY_PATTERN,
  FIELD_TYPE_VALIDATION_MOST,
  fieldChecks,
  fieldInputs,
  fieldLanes,
} from './field-type-names.ts';

/**
 * The field-type registry on the wire (wire 2.4): the row `GET /api/contact-field-types` answers, its
 * sub-field entry and the closed vocabularies of their columns. What the columns mean is in
 * `@symbolon/field-types`.
 */

/** One of a closed list of names. */
const oneOf = <const Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Name>(Type.Union(names.map((name) => Type.Literal(name))));

/** The primitive that shapes a value. */
export const FieldInput = oneOf(fieldInputs);
export type FieldInput = (typeof fieldInputs)[number];

/** Where a value lives: in the record itself, or behind the binary endpoint as a photo or a document. */
export const FieldLane = oneOf(fieldLanes);
export type FieldLane = (typeof fieldLanes)[number];

/** A named check applied beyond the regex. */
export const FieldCheck = oneOf(fieldChecks);
export type FieldCheck = (typeof fieldChecks)[number];

const Options = Type.Union([Type.Array(Type.String()), Type.Null()]);
const Validation = Type.Union([Type.String({ maxLength: FIELD_TYPE_VALIDATION_MOST }), Type.Null()], {
  description: 'Regex without anchors, applied to the whole value',
});

/** A sub-field of a composite, or a metadata entry of a file. */
export const FieldTypeEntry = Type.Object(
  {
    key: Type.String({ pattern: FIELD_TYPE_KEY_PATTERN }),
    input: FieldInput,
    required: Type.Boolean(),
    check: Type.Union([FieldCheck, Type.Null()]),
    validation: Validation,
    options: Options,
  },
  { additionalProperties: false },
);
export type FieldTypeEntry = Static<typeof FieldTypeEntry>;

/** A raw row of the registry: a null column is inherited from the nearest ancestor that sets it. */
export const FieldTypeRow = Type.Object(
  {
    type: Type.String({ pattern: FIELD_TYPE_KEY_PATTERN, description: 'Immutable type name' }),
    parent: Type.Union([Type.String({ pattern: FIELD_TYPE_KEY_PATTERN }), Type.Null()], {
      description: 'Parent type, null for a root',
    }),
    label: Type.String({ description: 'A translation key when is_system is true, a literal otherwise' }),
    input: Type.Union([FieldInput, Type.Null()]),
    lane: Type.Union([FieldLane, Type.Null()]),
    check: Type.Union([FieldCheck, Type.Null()]),
    options: Options,
    fields: Type.Union([Type.Array(FieldTypeEntry), Type.Null()]),
    validation: Validation,
    is_system: Type.Boolean({ description: 'Platform type, or added by the operator' }),
  },
  { additionalProperties: false, description: 'A field type' },
);
export type FieldTypeRow = Static<typeof FieldTypeRow>;
