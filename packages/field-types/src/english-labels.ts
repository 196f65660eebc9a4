import type { FieldTypeRow } from '@symbolon/protocol';

const LABELS: ReadonlyMap<string, string> = new Map([
  ['text', 'Text'],
  ['email', 'E-mail'],
  ['phone', 'Phone number'],
  ['url', 'Website'],
  ['gender', 'Gender'],
  ['country', 'Country'],
  ['nationality', 'Nationality'],
  ['personal_number', 'Personal number'],
  ['place_of_birth', 'Place of birth'],
  ['date', 'Date'],
  ['date_of_birth', 'Date of birth'],
  ['number', 'Number'],
  ['integer', 'Whole number'],
  ['decimal', 'Decimal number'],
  ['float', 'Floating-point number'],
  ['address', 'Address'],
  ['creditcard', 'Credit card'],
  ['bank', 'Bank account'],
  ['select', 'Choice'],
  ['multiselect', 'Choices'],
  ['photo', 'Photo'],
  ['document', 'Document'],
  ['pdf_document', 'PDF document'],
  ['legal_document', 'Legal document'],
  ['proof_of_identity', 'Proof of identity'],
  ['passport', 'Passport'],
  ['photo_id', 'Photo ID'],
  ['drivers_license', "Driver's license"],
  ['residence_permit', 'Residence permit'],
]);

/**
 * The label of a type for readers without translations: system rows carry a translation key (wire 2.4).
 * @param label what a row of the type carries
 */
export function englishLabel({ type, label }: Pick<FieldTypeRow, 'type' | 'label'>): string {
  return label === `fieldtype_${type}` ? (LABELS.get(type) ?? label) : label;
}
