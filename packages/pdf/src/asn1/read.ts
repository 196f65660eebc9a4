import { Constructed, fromBER } from 'asn1js';

/** The members of an element that holds others, each as it is encoded; none when it is no such element. */
export function childrenOf(der: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const { result } = fromBER(Uint8Array.from(der));
  if (!(result instanceof Constructed)) return [];
  return result.valueBlock.value.map((child) => Uint8Array.from(child.valueBeforeDecodeView));
}
