import { COMPANY } from './callers.ts';
import type { Option, Resource, Row, Template, Verb } from './types.ts';

export const AUDIENCES = ['person', 'company', 'both'];

const REQUEST_ROW: readonly Option[] = [
  { member: 'label', does: 'what people read' },
  { member: 'type', does: 'of symbolon field-types' },
  { member: 'one_time', does: 'answered once, and not kept up to date', kind: 'switch' },
  { member: 'mandatory_provide', does: 'whoever connects must answer it', kind: 'switch' },
  { member: 'mandatory_connected', does: 'and keep it while connected', kind: 'switch' },
  { member: 'verified', does: 'the answer must be attested', kind: 'switch' },
  { member: 'verified_max_age_days', does: 'how old the attestation may be', kind: 'whole', clears: true },
  { member: 'audience', does: 'whom it is asked', choices: AUDIENCES },
  { member: 'reason', does: 'why it is asked, as people read it', clears: true },
];
const SHARE_ROW: readonly Option[] = [
  { member: 'label', does: 'what people read' },
  { member: 'type', does: 'of symbolon field-types' },
  { member: 'value', does: 'in plaintext, by design' },
];

/** Rows that are published whole: each verb reads them, changes one and publishes under the token that was read. */
function published(
  name: string,
  does: string,
  set: {
    rows: Row['rows'];
    path: string;
    slug: string;
    options: readonly Option[];
    fileOnly: readonly string[];
  },
  lost: string,
): Resource {
  const get: Template = `GET /api/services/{service}/${set.path}`;
  const put: Template = `PUT /api/services/{service}/${set.path}`;
  const { rows, slug, options, fileOnly } = set;
  const row = (act: Row['act']): Row => ({ rows, act });
  const columns = ['slug', ...options.slice(0, 3).map(({ member }) => member)];
  const required = options.map((option) =>
    ['label', 'type', 'value'].includes(option.member) ? { ...option, required: true as const } : option,
  );
  const values = rows === 'share_fields' ? ' --value https://acme.example' : '';
  const type = rows === 'share_fields' ? 'url' : 'email';
  const verbs: Verb[] = [
    {
      name: 'list',
      does: 'list them',
      call: get,
      items: rows,
      columns,
      examples: [`${name} list --service SHOP`],
    },
    {
      name: 'get',
      does: 'show one',
      call: get,
      args: [slug],
      items: rows,
      pick: 'slug',
      examples: [`${name} get contact --service SHOP`],
    },
    {
      name: 'create',
      does: 'add one, after the others',
      call: put,
      args: [`${slug}?`],
      options: required,
      fileOnly,
      row: row('create'),
      examples: [`${name} create contact --service SHOP --label Contact --type ${type}${values}`],
    },
    {
      name: 'set',
      does: 'change what is given, and keep the rest',
      call: put,
      args: [slug],
      options,
      fileOnly,
      row: row('set'),
      examples: [`${name} set contact --service SHOP --label "How to reach you"`],
    },
    {
      name: 'delete',
      does: 'take one away',
      call: put,
      args: [slug],
      row: row('delete'),
      asks: lost,
      examples: [`${name} delete contact --service SHOP --yes`],
    },
    {
      name: 'publish',
      does: 'publish exactly the rows of a file, a list',
      call: put,
      row: row('publish'),
      asks: `Rows that the file does not have are taken away. ${lost}`,
      examples: [`${name} publish --service SHOP --file rows.yaml --yes`],
    },
  ];
  return { name, does, as: COMPANY, usual: 'list', verbs };
}

export const FIELDS = published(
  'fields',
  'what a service asks of people',
  {
    rows: 'request_fields',
    path: 'request-fields',
    slug: 'field',
    options: REQUEST_ROW,
    fileOnly: ['slug', 'plugin'],
  },
  'Answers to it are deleted.',
);
export const SHARE_FIELDS = published(
  'share-fields',
  'what a service shows of itself',
  { rows: 'share_fields', path: 'share-fields', slug: 'share-field', options: SHARE_ROW, fileOnly: ['slug'] },
  'People no longer see it.',
);
