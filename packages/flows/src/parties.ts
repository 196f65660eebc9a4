import type { FlowDefinition } from '@symbolon/protocol';
import { partyOfTag, partyTags } from './tags.ts';

/** The parties that a run must bind: they answer, sign, lend a file, or stand in a text. */
export function partiesInUse(definition: FlowDefinition): Set<string> {
  const used = new Set<string>();
  const { owner, others } = partyTags(definition);
  for (const tag of [...owner, ...others]) used.add(partyOfTag(tag) ?? '');
  for (const node of definition.nodes) {
    used.add(node.party);
    for (const { rules, signers } of node.outputs ?? []) {
      for (const { party } of signers) used.add(party);
      for (const { source_connection: source } of rules) if (source) used.add(source.party);
    }
  }
  return used;
}
