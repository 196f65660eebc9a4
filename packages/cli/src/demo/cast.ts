import type { RequestFieldInput } from '@symbolon/protocol';
import type { ValueInput } from '@symbolon/sdk/person';

/** The company of the story. */
export const company = {
  name: 'Harbour Bikes',
  email: 'portal@harbourbikes.example',
  service: 'Bike Club',
  serviceCode: 'CLUB',
  adminEmail: 'ops@harbourbikes.example',
} as const;

/** What it asks for: a row of every type that has an inline value. */
export const requestRows: readonly RequestFieldInput[] = [
  { slug: 'full_name', label: 'Full name', type: 'text', mandatory_provide: true, mandatory_connected: true },
  { slug: 'email', label: 'E-mail', type: 'email', verified: true },
  { slug: 'phone', label: 'Phone', type: 'phone' },
  { slug: 'website', label: 'Website', type: 'url' },
  { slug: 'gender', label: 'Gender', type: 'gender' },
  { slug: 'country', label: 'Country', type: 'country' },
  { slug: 'nationality', label: 'Nationality', type: 'nationality' },
  { slug: 'id_number', label: 'Personal number', type: 'personal_number' },
  { slug: 'birthplace', label: 'Place of birth', type: 'place_of_birth' },
  { slug: 'first_ride', label: 'First ride', type: 'date' },
  { slug: 'celebrate_on', label: 'Day to celebrate', type: 'date' },
  { slug: 'born_on', label: 'Date of birth', type: 'date_of_birth' },
  { slug: 'height_cm', label: 'Height in cm', type: 'number' },
  { slug: 'bikes_owned', label: 'Bikes owned', type: 'integer' },
  { slug: 'budget', label: 'Budget', type: 'decimal' },
  { slug: 'wheel_factor', label: 'Wheel factor', type: 'float' },
  { slug: 'home', label: 'Home', type: 'address' },
  { slug: 'card', label: 'Card', type: 'creditcard', one_time: true },
  { slug: 'account', label: 'Bank account', type: 'bank' },
];

/** A field a person keeps. */
type FieldScript = { type: string; slug: string; label: string; value: ValueInput };
/** How a person answers a row: from a field, live or once, or with a value typed in. */
type AnswerScript = { field: string; oneTime?: boolean } | { value: ValueInput };
export type PersonScript = {
  name: string;
  login: string;
  fields: readonly FieldScript[];
  answers: Readonly<Record<string, AnswerScript>>;
};

const field = (type: string, slug: string, label: string, value: ValueInput): FieldScript => ({
  type,
  slug,
  label,
  value,
});

/** The first answers everything; her birthday answers two rows, one of them of a type above its own. */
const mira: PersonScript = {
  name: 'Mira',
  login: 'mira@login.example',
  fields: [
    field('text', 'passport_name', 'Name', 'Mira Adaeze Okafor'),
    field('email', 'private_mail', 'Private e-mail', 'mira.okafor@post.example'),
    field('phone', 'mobile', 'Mobile', '+49405550192'),
    field('url', 'blog', 'Blog', 'https://mira-rides.example/about'),
    field('gender', 'gender', 'Gender', 'Female'),
    field('country', 'lives_in', 'Country', 'DE'),
    field('nationality', 'citizen_of', 'Nationality', 'NG'),
    field('personal_number', 'tax_number', 'Tax number', '86 095 742 719'),
    field('place_of_birth', 'cradle', 'Place of birth', 'Port Harcourt, NG'),
    field('date', 'first_tour', 'First tour', '2019-04-28'),
    field('date_of_birth', 'my_birthday', 'Birthday', '1991-07-16'),
    field('number', 'height', 'Height', '171.5'),
    field('integer', 'bicycles', 'Bicycles', '3'),
    field('decimal', 'bike_money', 'Bike money', '1450.00'),
    field('float', 'factor', 'Factor', '6.9115e-1'),
    field('address', 'flat', 'Flat', {
      street: 'Große Elbstraße',
      building_number: '212a',
      city: 'Hamburg',
      postal_code: '22767',
      country: 'DE',
    }),
    field('bank', 'giro', 'Giro account', {
      swift: 'MARKDEF1100',
      account_number: 'DE02 1203 0000 0000 2020 51',
      account_holder: 'Mira Okafor',
      bank_name: 'Elbbank',
    }),
  ],
  answers: {
    full_name: { field: 'passport_name' },
    email: { field: 'private_mail' },
    phone: { field: 'mobile' },
    website: { field: 'blog' },
    gender: { field: 'gender' },
    country: { field: 'lives_in' },
    nationality: { field: 'citizen_of' },
    id_number: { field: 'tax_number', oneTime: true },
    birthplace: { field: 'cradle' },
    first_ride: { field: 'first_tour' },
    celebrate_on: { field: 'my_birthday' },
    born_on: { field: 'my_birthday' },
    height_cm: { field: 'height' },
    bikes_owned: { field: 'bicycles' },
    budget: { field: 'bike_money' },
    wheel_factor: { field: 'factor' },
    home: { field: 'flat' },
    card: { value: { number: '4242424242424242', expiry: '09/31', cvc: '731', name: 'Mira Okafor' } },
    account: { field: 'giro' },
  },
};

const jonas: PersonScript = {
  name: 'Jonas',
  login: 'jonas@login.example',
  fields: [
    field('text', 'full', 'Name', 'Jonas Emil Lindqvist'),
    field('phone', 'work_phone', 'Work phone', '+4685550173'),
    field('country', 'home_country', 'Country', 'SE'),
    field('integer', 'bike_count', 'Bikes', '12'),
    field('address', 'house', 'House', {
      street: 'Skeppargatan',
      building_number: '9',
      city: 'Stockholm',
      postal_code: '114 52',
      country: 'SE',
    }),
  ],
  answers: {
    full_name: { field: 'full' },
    phone: { field: 'work_phone' },
    country: { field: 'home_country' },
    bikes_owned: { field: 'bike_count', oneTime: true },
    home: { field: 'house' },
  },
};

const aiko: PersonScript = {
  name: 'Aiko',
  login: 'aiko@login.example',
  fields: [
    field('text', 'name', 'Name', '田中 愛子'),
    field('nationality', 'nation', 'Nationality', 'JP'),
    field('gender', 'gender', 'Gender', 'Prefer not to say'),
  ],
  answers: {
    full_name: { field: 'name' },
    nationality: { field: 'nation' },
    gender: { field: 'gender', oneTime: true },
    budget: { value: '89.90' },
  },
};

export const people = { mira, jonas, aiko } as const;

/** Mira proves the address in this field. */
export const verifiedField = 'private_mail';
/** She changes this one, and the company hears of it in this row. */
export const edit = { field: 'mobile', row: 'phone', value: '+4915155500143' } as const;
/** A date of birth that answers a row which asks for a date. */
export const descendant = { field: 'my_birthday', fieldType: 'date_of_birth', row: 'celebrate_on' } as const;
/** Jonas moves while no client follows the feed: something for the commands at the end to show. */
export const later = {
  field: 'house',
  row: 'home',
  value: {
    street: 'Österlånggatan',
    building_number: '51',
    city: 'Stockholm',
    postal_code: '111 31',
    country: 'SE',
  },
} as const;
