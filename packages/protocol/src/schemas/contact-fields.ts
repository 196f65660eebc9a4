import { type Static, Type } from 'typebox';

export const Usertype = Type.Union([Type.Literal('person'), Type.Literal('company'), Type.Literal('any')]);
export type Usertype = Static<typeof Usertype>;

/** A row of the field catalogue. `usertype` says which kind of profile may fill it (wire 2.4). */
export const ContactField = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  label: Type.String(),
  type: Type.String(),
  usertype: Usertype,
  is_system: Type.Boolean(),
});
export type ContactField = Static<typeof ContactField>;
export const ContactFieldList = Type.Object({ contact_fields: Type.Array(ContactField) });
export type ContactFieldList = Static<typeof ContactFieldList>;
export const ContactFieldQuery = Type.Object({ usertype: Type.Optional(Usertype) });
