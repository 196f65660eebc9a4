import { Type } from 'typebox';

/**
 * How the server takes a long text in: `text` as it is, `wrapper` as an encrypted value whose form it checks, `memory`
 * without a trace on any disk.
 */
export type LargeForm = 'text' | 'wrapper' | 'memory';

/** Marks a member whose text the server does not hold in memory, or holds apart. */
export interface LargeMember {
  readonly 'x-large': LargeForm;
}

/** A member of a body, not of an object in it, whose text may be as long as the body. */
export const Large = <const Form extends LargeForm>(form: Form, description: string) =>
  Object.assign(Type.String({ minLength: 1, description }), { 'x-large': form });
