import { accountClientBaseline, type Capability, capabilities, capabilityPatterns } from '@symbolon/protocol';

/** Capability groups, each once and in the order in which they are listed. */
export function inOrder(granted: readonly Capability[]): Capability[] {
  return capabilities.filter((capability) => granted.includes(capability));
}

/** What an account client may call: the baseline, and the patterns of its groups (wire 5.5). */
export function whitelistOf(granted: readonly Capability[]): string[] {
  const patterns = inOrder(granted).flatMap((capability) => capabilityPatterns[capability]);
  // Two groups share a pattern.
  return [...new Set([...accountClientBaseline, ...patterns])];
}
