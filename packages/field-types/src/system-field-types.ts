import type { FieldTypeEntry, FieldTypeRow } from '@symbolon/protocol';

/** The types that ship with the platform, parents before their children (wire 2.4). */
export const systemFieldTypes: readonly FieldTypeRow[] = [
  row('text', null, { input: 'line', lane: 'inline' }),
  row('email', 'text', { validation: '[^\\s@]+@[^\\s@]+\\.[^\\s@]+' }),
  row('phone', 'text', { input: 'phone' }),
  row('url', 'text', { check: 'url' }),
  row('gender', 'text', { input: 'list', options: ['Male', 'Female', 'Non-binary', 'Prefer not to say'] }),
  row('country', 'text', { input: 'country' }),
  row('nationality', 'text', { input: 'nationality' }),
  row('personal_number', 'text', {}),
  row('place_of_birth', 'text', {}),
  row('date', 'text', { input: 'date' }),
  row('date_of_birth', 'date', {}),

  row('number', null, { input: 'line', lane: 'inline', check: 'number' }),
  row('integer', 'number', { check: 'integer' }),
  row('decimal', 'number', { check: 'decimal' }),
  row('float', 'number', { check: 'float' }),

  row('address', null, {
    input: 'composite',
    lane: 'inline',
    fields: [
      entry('street'),
      entry('building_number'),
      entry('affix'),
      entry('city'),
      entry('postal_code', { validation: '[A-Za-z0-9][A-Za-z0-9 -]{1,9}' }),
      entry('state', { input: 'state' }),
      entry('country', { input: 'country' }),
    ],
  }),
  row('creditcard', null, {
    input: 'composite',
    lane: 'inline',
    fields: [
      entry('number', { check: 'card' }),
      entry('expiry', { validation: '(0[1-9]|1[0-2])/\\d{2}(\\d{2})?' }),
      entry('cvc', { validation: '\\d{3,4}' }),
      entry('name'),
    ],
  }),
  row('bank', null, {
    input: 'composite',
    lane: 'inline',
    fields: [
      entry('swift', { validation: '[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?' }),
      entry('routing_number', { validation: '\\d{9}' }),
      entry('account_number', { validation: '[A-Za-z0-9 ]{4,34}' }),
      entry('account_holder'),
      entry('bank_name'),
    ],
  }),

  row('select', null, { input: 'list', lane: 'inline', options: [] }),
  row('multiselect', null, { input: 'multilist', lane: 'inline', options: [] }),

  row('photo', null, { input: 'file', lane: 'photo' }),
  row('document', null, { input: 'file', lane: 'document' }),
  row('pdf_document', 'document', { check: 'pdf' }),
  row('legal_document', null, {
    input: 'file',
    lane: 'document',
    fields: [entry('document_number'), entry('expiry_date', { input: 'date' })],
  }),
  row('proof_of_identity', 'legal_document', {
    input: 'pages',
    fields: [
      entry('document_number'),
      entry('expiry_date', { input: 'date' }),
      entry('issuing_country', { input: 'country', required: true }),
    ],
  }),
  row('passport', 'proof_of_identity', {}),
  row('photo_id', 'proof_of_identity', {}),
  row('drivers_license', 'proof_of_identity', {}),
  row('residence_permit', 'proof_of_identity', {}),
];

type Columns = Partial<Omit<FieldTypeRow, 'type' | 'parent' | 'label' | 'is_system'>>;

function row(type: string, parent: string | null, columns: Columns): FieldTypeRow {
  return {
    type,
    parent,
    label: `fieldtype_${type}`,
    input: null,
    lane: null,
    check: null,
    options: null,
    fields: null,
    validation: null,
    ...columns,
    is_system: true,
  };
}

function entry(key: string, columns: Partial<Omit<FieldTypeEntry, 'key'>> = {}): FieldTypeEntry {
  return { key, input: 'line', required: false, check: null, validation: null, options: null, ...columns };
}
