import { randomBytes } from 'node:crypto';

const base64 = (bytes: number) => randomBytes(bytes).toString('base64');

/** Shaped like a sealed value; whose field it is, and of which edit, stands where the ciphertext would. */
export function wrapperOf(person: number, field: string, edit: number): string {
  const text = Buffer.concat([Buffer.from(`${person}/${field}/${edit} `), randomBytes(24)]);
  return JSON.stringify({ _enc: 1, k: base64(256), iv: base64(12), d: text.toString('base64') });
}

export interface ReadValue {
  readonly person: number;
  readonly field: string;
  readonly edit: number;
}

/** @throws when the wrapper is none that a person of the test has sent */
export function readWrapper(wrapper: string): ReadValue {
  const { d } = JSON.parse(wrapper) as { d: string };
  const found = /^(\d+)\/(\w+)\/(\d+) /.exec(Buffer.from(d, 'base64').toString('latin1'));
  if (found === null) throw new Error(`A value that nobody sent: ${wrapper.slice(0, 80)}`);
  return { person: Number(found[1]), field: found[2] ?? '', edit: Number(found[3]) };
}
