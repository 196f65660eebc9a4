import type { ResolvedFieldType } from '@symbolon/field-types';

/** What the options of the platform's types are called, by language. What is stored is their English name. */
export const optionTexts: Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
> = {
  de: {
    gender: {
      Male: 'Männlich',
      Female: 'Weiblich',
      'Non-binary': 'Nichtbinär',
      'Prefer not to say': 'Keine Angabe',
    },
  },
};

/** The text of an option of a type, or of one above it; undefined where it has none but its own name. */
export function optionText(
  type: Pick<ResolvedFieldType, 'lineage'> | undefined,
  option: string,
  language: string,
): string | undefined {
  const texts = optionTexts[language];
  const named = type?.lineage.find((each) => texts?.[each]?.[option] !== undefined);
  return named && texts?.[named]?.[option];
}
