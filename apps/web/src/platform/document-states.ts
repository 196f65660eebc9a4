import type { Listed } from './document-list.ts';

/** What the company asks of the person; undefined when it asks nothing, or no more. */
export type Asked = 'sign' | 'accept';

export function askedOf(document: Listed): Asked | undefined {
  const { broadcast, requires_acceptance, signatures, status } = document;
  if (broadcast) return undefined;
  const did = (action: 'signed' | 'accepted') => signatures.some((act) => act.action === action);
  // A copy that this person has done with stays open until the others have, too.
  if (status === 'ready_to_sign') return did('signed') ? undefined : 'sign';
  return status === 'offering' && requires_acceptance && !did('accepted') ? 'accept' : undefined;
}

/** How a document stands, for a text `documents.state.…`; undefined for one that is only to be read. */
export function stateOf(document: Listed) {
  const { kind, status, signatures } = document;
  const asked = askedOf(document);
  if (asked !== undefined) return asked;
  const last = signatures.at(-1)?.action;
  if (last !== undefined && (status === 'ready_to_sign' || status === 'offering'))
    return `${last}_open` as const;
  if (status === 'waiting') return status;
  if (status === 'offering' || status === 'active_but_ending' || status === 'ended') return status;
  if (last !== undefined) return last;
  return kind === 'document' ? undefined : 'active';
}

/** Whether the person may cancel it here. The company decides. */
export function isCancellable({ broadcast, metadata, status }: Listed): boolean {
  const isOpen = status === 'offering' || status === 'ready_to_sign' || status === 'active';
  return !broadcast && isOpen && metadata.can_be_cancelled_in_app === true;
}

/** Until when a contract holds that is cancelled now, as `2026-12-31`; undefined when it ends at once. */
export function endOf({ metadata, status }: Listed, today: string): string | undefined {
  if (status !== 'active') return undefined;
  const date = [metadata.valid_until, metadata.renewal_date].find((each) => typeof each === 'string');
  const day = typeof date === 'string' && /^\d{4}-\d{2}-\d{2}/.test(date) ? date.slice(0, 10) : undefined;
  return day !== undefined && day > today ? day : undefined;
}

/** Those in which all words stand: in the name, or in the names of company and service. */
export function found(documents: readonly Listed[], query: string): readonly Listed[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return documents.filter(({ name, company, service }) => {
    const text = [name, company.display_name, company.share_code, service.name].join(' ').toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Whether the person can sign or accept: only what they see. @param isShown undefined until the page has tried */
export function decisionOn(kind: 'json' | 'file', isShown: boolean | undefined): 'open' | 'closed' | 'later' {
  if (kind === 'json' || isShown === true) return 'open';
  return isShown === false ? 'closed' : 'later';
}
