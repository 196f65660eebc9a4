import type { FlowDefinition } from '@symbolon/protocol';

/** A PDF that a run takes from what a party shares with the service (wire 13.10). */
export interface ConnectionSource {
  /** `conn:<party>:<slug of the request row>`. */
  readonly key: string;
  readonly party: string;
  readonly requestSlug: string;
  /** An output has no other rule: without this file it cannot be made. */
  readonly required: boolean;
}

export const connectionSourceKey = (party: string, requestSlug: string): string =>
  `conn:${party}:${requestSlug}`;

/** What the start of a run brings copies of, each once, in the order of the definition. */
export function connectionSources(definition: FlowDefinition): ConnectionSource[] {
  const found = new Map<string, ConnectionSource>();
  for (const { rules } of definition.nodes.flatMap(({ outputs }) => outputs ?? [])) {
    const isAlone = rules.every(({ source_connection: source }) => source !== undefined);
    for (const { source_connection: source } of rules) {
      if (source === undefined) continue;
      const { party, request_slug: requestSlug } = source;
      const key = connectionSourceKey(party, requestSlug);
      const required = isAlone || found.get(key)?.required === true;
      found.set(key, { key, party, requestSlug, required });
    }
  }
  return [...found.values()];
}
