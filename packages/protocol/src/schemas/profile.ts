import { type Static, Type } from 'typebox';
import { DisplayName, Exact, Id, Label, Nullable, Slug, Time } from './common.ts';
import { Usertype } from './contact-fields.ts';
import { Photo } from './photos.ts';

/** How a company shows itself to people. */
export const Profile = Type.Object({
  company_user_id: Id,
  display_name: Type.String(),
  company_code: Type.String(),
  photo: Nullable(Photo),
});
export type Profile = Static<typeof Profile>;
export const UpdateProfileRequest = Exact({ display_name: DisplayName });

/** A custom field of the catalogue. */
export const CreateContactFieldRequest = Exact({
  type: Type.String({ minLength: 1, maxLength: 40 }),
  slug: Slug,
  label: Label,
  usertype: Type.Optional(Usertype),
});
export type CreateContactFieldRequest = Static<typeof CreateContactFieldRequest>;
export const UpdateContactFieldRequest = Exact({
  slug: Type.Optional(Slug),
  label: Type.Optional(Label),
  usertype: Type.Optional(Usertype),
});
export type UpdateContactFieldRequest = Static<typeof UpdateContactFieldRequest>;

const CardValue = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description: 'plaintext; an object or a list as JSON text',
});

/** A value of the company's own profile: plaintext by design (wire 2.3). */
export const ContactData = Type.Object({
  id: Id,
  field_id: Type.String({ description: 'the catalogue field it fills' }),
  type: Type.String(),
  slug: Type.String(),
  label: Type.String(),
  value: Type.String(),
  created_at: Time,
  updated_at: Time,
});
export type ContactData = Static<typeof ContactData>;
export const ContactDataList = Type.Object({ contact_data: Type.Array(ContactData) });
export const CreateContactDataRequest = Exact({
  field_id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'id of a row of GET /api/contact-fields',
  }),
  slug: Type.Optional(Slug),
  label: Type.Optional(Label),
  value: CardValue,
});
export type CreateContactDataRequest = Static<typeof CreateContactDataRequest>;
export const UpdateContactDataRequest = Exact({
  slug: Type.Optional(Slug),
  label: Type.Optional(Label),
  value: Type.Optional(CardValue),
});
export type UpdateContactDataRequest = Static<typeof UpdateContactDataRequest>;
