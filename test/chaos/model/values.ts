import { markedValue, markOf } from '@symbolon/testkit/actors/accounts';

/** Shaped like a sealed value: whose field it is, and of which edit. */
export const wrapperOf = (person: number, field: string, edit: number): string =>
  markedValue(`${person}/${field}/${edit}`);

/** @throws when no person of the test has sent the wrapper */
export function readWrapper(wrapper: string): { person: number; field: string; edit: number } {
  const [, person, field = '', edit] = markOf(wrapper, /^(\d+)\/(\w+)\/(\d+) /);
  return { person: Number(person), field, edit: Number(edit) };
}
