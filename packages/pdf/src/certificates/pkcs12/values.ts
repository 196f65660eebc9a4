import { fromBER, Integer, ObjectIdentifier, OctetString } from 'asn1js';
import { childrenOf } from '../../asn1/read.ts';

export interface Algorithm {
  readonly id: string;
  /** As it is encoded; empty when there is none. */
  readonly parameters: Uint8Array;
}

export function algorithmOf(element: Uint8Array | undefined): Algorithm {
  const [id, parameters = new Uint8Array()] = childrenOf(element ?? new Uint8Array());
  return { id: oidOf(id), parameters };
}

/** @throws when the value is of another type, like those below */
export function oidOf(element: Uint8Array | undefined): string {
  const value = read(element);
  if (!(value instanceof ObjectIdentifier)) throw new Error('An object identifier is missing');
  return value.valueBlock.toString();
}

export function octetsOf(element: Uint8Array | undefined): Uint8Array {
  const value = read(element);
  if (!(value instanceof OctetString)) throw new Error('A string of octets is missing');
  return new Uint8Array(value.getValue());
}

export function numberOf(element: Uint8Array | undefined): number {
  const value = read(element);
  if (!(value instanceof Integer)) throw new Error('A number is missing');
  return Number(value.toBigInt());
}

function read(element: Uint8Array | undefined) {
  return fromBER(Uint8Array.from(element ?? [])).result;
}
