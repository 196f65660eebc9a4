/** What keeps a definition from being saved or published. Stable codes (wire 13.2). */
export type FlowIssueCode =
  | 'shape_invalid'
  | 'too_large'
  | 'too_deep'
  | 'entry_missing'
  | 'reference_unknown'
  | 'operator_unknown'
  | 'key_duplicate'
  | 'party_reserved'
  | 'party_unbound'
  | 'node_unreachable'
  | 'edge_cycle'
  | 'constant_cycle'
  | 'field_type_unknown'
  | 'options_missing'
  | 'plugin_unknown'
  | 'plugin_input_missing'
  | 'output_source_missing'
  /** Warnings: the flow can be published. */
  | 'comparison_unanswered'
  | 'tag_unknown';

export interface FlowIssue {
  readonly code: FlowIssueCode;
  /** JSON Pointer (RFC 6901) into the definition; `''` is the definition itself. */
  readonly path: string;
  /** For the author. */
  readonly message: string;
}

export function issue(code: FlowIssueCode, path: string, message: string): FlowIssue {
  return { code, path, message };
}

/** A member's name as a segment of a JSON Pointer. */
export function segment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
