import { type Static, Type } from 'typebox';
import { Id } from './common.ts';
import { CompanyIdentity } from './customer.ts';
import { CustomerDocument } from './documents.ts';

/** A document as a person reads it. */
export const PersonDocument = Type.Object({
  ...CustomerDocument.properties,
  company: CompanyIdentity,
  service: Type.Object({ id: Id, name: Type.String(), share_code: Type.String() }),
});
export type PersonDocument = Static<typeof PersonDocument>;
const { value, ...withoutValue } = PersonDocument.properties;
/** One of a list, without its value. */
export const ListedPersonDocument = Type.Object(withoutValue);
export type ListedPersonDocument = Static<typeof ListedPersonDocument>;
export const PersonDocumentList = Type.Object({ documents: Type.Array(ListedPersonDocument) });
export type PersonDocumentList = Static<typeof PersonDocumentList>;
