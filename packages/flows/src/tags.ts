import type { FlowDefinition } from '@symbolon/protocol';
import { OWNER_PARTY } from '@symbolon/protocol/constants';
import { bodyOf, type PlainPiece, parseText } from './text.ts';

/** The tags of parties in the texts of a flow: `party.field`, each once, sorted (wire 13.6). */
export interface PartyTags {
  /** Filled from the profile of the owning company. */
  readonly owner: readonly string[];
  /** Filled by whoever starts the run. */
  readonly others: readonly string[];
}

/** A tag with the place of the element in which it stands. */
export interface PlacedTag {
  readonly key: string;
  readonly path: string;
}

/** The keys of all tags in a text, in its order; those in addresses of links too. */
export function tagsOfText(source: string): string[] {
  return parseText(source).flatMap((piece) =>
    piece.kind === 'link' ? keysOf([...piece.address, ...piece.pieces]) : keysOf([piece]),
  );
}

function keysOf(pieces: readonly PlainPiece[]): string[] {
  return pieces.flatMap((piece) => (piece.kind === 'tag' ? [piece.key] : []));
}

/** All tags of the texts of a flow. */
export function* tagsOfFlow(definition: FlowDefinition): Generator<PlacedTag> {
  for (const [index, node] of definition.nodes.entries()) {
    for (const [place, element] of node.elements.entries()) {
      if (element.kind !== 'text') continue;
      for (const key of tagsOfText(bodyOf(element))) yield { key, path: `/nodes/${index}/elements/${place}` };
    }
  }
}

/** What must be known of parties when a run starts. An unknown party gives no tag. */
export function partyTags(definition: FlowDefinition): PartyTags {
  const types = new Map(definition.parties.map(({ key, type }) => [key, type]));
  const owner = new Set<string>();
  const others = new Set<string>();
  for (const { key } of tagsOfFlow(definition)) {
    const party = partyOfTag(key);
    if (party === undefined || !types.has(party)) continue;
    (types.get(party) === OWNER_PARTY ? owner : others).add(key);
  }
  return { owner: [...owner].sort(), others: [...others].sort() };
}

/** Those of some tags that the profile of the owning company fills. */
export function ownerTagsAmong({ parties }: FlowDefinition, keys: readonly string[]): string[] {
  const owners = new Set(parties.filter(({ type }) => type === OWNER_PARTY).map(({ key }) => key));
  return keys.filter((key) => owners.has(partyOfTag(key) ?? ''));
}

/** The first part of a tag that could be `party.field`. */
export function partyOfTag(key: string): string | undefined {
  const [party, field, more] = key.split('.');
  return field !== undefined && more === undefined ? party : undefined;
}
