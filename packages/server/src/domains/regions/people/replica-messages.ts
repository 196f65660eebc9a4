import type { FieldCopy } from '../../sharing/index.ts';
import type { CodeReplica, FieldReplica, PersonReplica } from './store.ts';

/** Messages from the home of a person to the other regions. */
export const PersonMessage = {
  person: 'person',
  /** The account was deleted; the subject says whose. */
  gone: 'person_gone',
  field: 'person_field',
  fieldGone: 'person_field_gone',
  copies: 'person_copies',
} as const;

export interface PersonBody {
  readonly person: PersonReplica;
  readonly codes: readonly CodeReplica[];
}

/** A copy of a field's value, sealed for the service of a slot in another region. */
export interface RemoteCopy extends FieldCopy {
  readonly company_id: string;
}

export interface FieldBody {
  readonly field: FieldReplica;
  readonly copies: readonly RemoteCopy[];
}

/** Copies for slots of companies that have moved to another region. */
export interface CopiesBody {
  readonly person_id: string;
  readonly field_id: string;
  readonly version: number;
  readonly copies: readonly RemoteCopy[];
}

export interface FieldGoneBody {
  readonly person_id: string;
  readonly field_id: string;
}
