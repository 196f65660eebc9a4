import { ANY, COMPANY } from './callers.ts';
import type { Option, Resource } from './types.ts';

const USERTYPES = ['person', 'company', 'any'];
const PROFILE: Resource = {
  name: 'profile',
  does: 'how the company shows itself',
  as: COMPANY,
  usual: 'get',
  verbs: [
    { name: 'get', does: 'show it', call: 'GET /api/profile', examples: ['profile', 'profile get --json'] },
    {
      name: 'set',
      does: 'change what is given',
      call: 'PUT /api/profile',
      options: [
        { member: 'display_name', does: 'what people see' },
        {
          member: 'photo_id',
          does: 'the profile photo',
          of: 'photo',
          clears: true,
          call: 'PUT /api/photos/profile',
        },
      ],
      examples: ['profile set --display-name Acme', 'profile set --photo-id none'],
    },
  ],
};

const LABELS: readonly Option[] = [
  { member: 'slug', does: 'its name for programs' },
  { member: 'label', does: 'what people read' },
];
const CARD_VALUE: Option = { member: 'value', does: 'in plaintext, by design; an object or a list as JSON' };
const VALUES: Resource = {
  name: 'profile values',
  does: "values of the company's business card",
  as: COMPANY,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them',
      call: 'GET /api/contact-data',
      items: 'contact_data',
      columns: ['slug', 'type', 'label', 'value'],
      examples: ['profile values'],
    },
    {
      name: 'get',
      does: 'show one',
      call: 'GET /api/contact-data/{value}',
      args: ['value'],
      examples: ['profile values get website'],
    },
    {
      name: 'create',
      does: 'fill a field of the catalogue',
      call: 'POST /api/contact-data',
      options: [
        {
          member: 'field_id',
          does: 'of symbolon profile fields',
          of: 'catalogue-field',
          required: true,
        },
        { ...CARD_VALUE, required: true },
        ...LABELS,
      ],
      examples: ['profile values create --field-id email --value hello@acme.example'],
    },
    {
      name: 'set',
      does: 'change what is given, and keep the rest',
      call: 'PUT /api/contact-data/{value}',
      args: ['value'],
      options: [CARD_VALUE, ...LABELS],
      examples: ['profile values set email --value office@acme.example'],
    },
    {
      name: 'delete',
      does: 'delete one',
      call: 'DELETE /api/contact-data/{value}',
      args: ['value'],
      asks: 'People no longer see it.',
      examples: ['profile values delete email --yes'],
    },
  ],
};

const USERTYPE: Option = { member: 'usertype', does: 'whose profiles may fill it', choices: USERTYPES };
const FIELDS: Resource = {
  name: 'profile fields',
  does: "the catalogue of fields: the platform's, and the company's own",
  as: COMPANY,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them',
      call: 'GET /api/contact-fields',
      options: [USERTYPE],
      items: 'contact_fields',
      columns: ['slug', 'type', 'label', 'usertype', 'is_system', 'id'],
      as: ANY,
      examples: ['profile fields', 'profile fields list --usertype company'],
    },
    {
      name: 'get',
      does: 'show one',
      call: 'GET /api/contact-fields/{catalogue-field}',
      args: ['catalogue-field'],
      as: ANY,
      examples: ['profile fields get email'],
    },
    {
      name: 'create',
      does: 'create one of your own',
      call: 'POST /api/contact-fields',
      options: [
        { member: 'type', does: 'of symbolon field-types', required: true },
        ...LABELS.map((option) => ({ ...option, required: true as const })),
        USERTYPE,
      ],
      examples: ['profile fields create --type text --slug vat_id --label "VAT number"'],
    },
    {
      name: 'set',
      does: 'change what is given, and keep the rest',
      call: 'PUT /api/contact-fields/{catalogue-field}',
      args: ['catalogue-field'],
      options: [...LABELS, USERTYPE],
      examples: ['profile fields set vat_id --label "VAT id"'],
    },
    {
      name: 'delete',
      does: 'delete one that nothing uses',
      call: 'DELETE /api/contact-fields/{catalogue-field}',
      args: ['catalogue-field'],
      asks: 'The field is gone from the catalogue.',
      examples: ['profile fields delete vat_id --yes'],
    },
  ],
};

const PHOTO_LABEL: Option = {
  member: 'label',
  does: 'what it shows, for those who do not see it',
  clears: true,
};
const PHOTOS: Resource = {
  name: 'photos',
  does: 'photos of the company',
  as: COMPANY,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them',
      call: 'GET /api/photos',
      items: 'photos',
      columns: ['id', 'label', 'media_type', 'width', 'height', 'is_profile'],
      examples: ['photos'],
    },
    {
      name: 'get',
      does: 'show one',
      call: 'GET /api/photos/{photo}',
      args: ['photo'],
      examples: ['photos get PHOTO_ID'],
    },
    {
      name: 'create',
      does: 'upload a JPEG, PNG or WebP image',
      call: 'POST /api/photos',
      options: [
        { member: 'file', flag: 'image', does: 'the image', kind: 'bytes', required: true },
        PHOTO_LABEL,
      ],
      examples: ['photos create --image shop.jpg --label "Our shop"'],
    },
    {
      name: 'set',
      does: 'change what it is said to show',
      call: 'PUT /api/photos/{photo}',
      args: ['photo'],
      options: [{ ...PHOTO_LABEL, required: true }],
      examples: ['photos set PHOTO_ID --label "The new shop"', 'photos set PHOTO_ID --label none'],
    },
    {
      name: 'download',
      does: 'write the image',
      call: 'GET /api/photos/{photo}/file',
      args: ['photo'],
      download: true,
      examples: ['photos download PHOTO_ID --out shop.jpg'],
    },
    {
      name: 'thumbnail',
      does: 'write its small form, a WebP image',
      call: 'GET /api/photos/{photo}/thumb',
      args: ['photo'],
      download: true,
      examples: ['photos thumbnail PHOTO_ID --out shop.webp'],
    },
    {
      name: 'delete',
      does: 'delete one',
      call: 'DELETE /api/photos/{photo}',
      args: ['photo'],
      asks: 'Services and the profile show it no longer.',
      examples: ['photos delete PHOTO_ID --yes'],
    },
  ],
};

const FIELD_TYPES: Resource = {
  name: 'field-types',
  does: 'the registry of field types',
  as: ANY,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them',
      call: 'GET /api/contact-field-types',
      items: '',
      columns: ['type', 'parent', 'input', 'lane', 'check'],
      examples: ['field-types', 'field-types list --json'],
    },
    {
      name: 'get',
      does: 'show one',
      call: 'GET /api/contact-field-types',
      args: ['type'],
      items: '',
      pick: 'type',
      examples: ['field-types get address'],
    },
  ],
};

export const PROFILE_RESOURCES: readonly Resource[] = [PROFILE, VALUES, FIELDS, PHOTOS, FIELD_TYPES];
