import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { ChosenOutput, TemplateTags } from '@symbolon/flows';
import type { FlowDefinition } from '@symbolon/protocol';

/** What is known of a run and of the bundle from which its documents are to be made. */
interface Given {
  readonly definition: FlowDefinition;
  readonly fieldTypes: FieldTypeRegistry;
  /** The tags in each PDF of the flow. */
  readonly templates: TemplateTags;
  /** Slugs that were answered. */
  readonly answered: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * The tags of the chosen documents that stay blank although a required field was answered for them: whoever has documents made
 * cannot leave out what others said. An answer of several choices or members may be shown by an empty text.
 */
export function missingTags(chosen: readonly ChosenOutput[], given: Given): string[] {
  const { definition, fieldTypes, answered, texts } = given;
  const asked = new Set(chosen.flatMap(({ rule }) => tagsOf(rule, given.templates)));
  const missing = definition.nodes.flatMap(({ elements }) =>
    elements.flatMap((element) => {
      if (element.kind !== 'field' || !element.required) return [];
      const { slug, field_type: type } = element;
      const resolved = fieldTypes.resolve(type);
      if (!asked.has(slug) || !answered.has(slug) || resolved?.lane !== 'inline') return [];
      const mayBeEmpty = resolved.input === 'multilist' || resolved.input === 'composite';
      return texts.has(slug) && (mayBeEmpty || texts.get(slug) !== '') ? [] : [slug];
    }),
  );
  return missing.sort();
}

/** Those that the author says the document shows; where that is not said, those that were found in the PDF. */
function tagsOf(
  { tags = [], asset_key: asset }: ChosenOutput['rule'],
  templates: TemplateTags,
): readonly string[] {
  if (tags.length === 0) return templates.get(asset ?? '') ?? [];
  return tags.filter((tag) => typeof tag === 'string');
}
