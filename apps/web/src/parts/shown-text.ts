import type { ResolvedFieldType } from '@symbolon/field-types';
import { useCallback } from 'react';
import { type Choice, shownValue, wholeValue } from '../platform/shown-value.ts';
import { useText } from '../text/index.tsx';
import { usePhones } from './use-phones.ts';

interface Types {
  get(type: string): ResolvedFieldType | undefined;
}

export interface TypedText {
  readonly type: string;
  readonly text: string;
  /** What the options of a list are called, where its type does not say it. */
  readonly choices?: readonly Choice[] | null;
}

/**
 * A text of a type, on one line: all pages show values by this. Of a secret the end alone, unless it is asked for whole.
 * @param all what may be shown: the plans of telephone numbers are loaded when there is a number
 */
export function useShownText(
  types: Types | undefined,
  all: readonly { type: string }[],
): (of: TypedText, isWhole?: boolean) => string {
  const { language } = useText();
  const phones = usePhones(all.some(({ type }) => isPhone(types, type)));
  return useCallback(
    ({ type, text, choices }, isWhole = false) => {
      if (isPhone(types, type)) return phones?.shownPhone(text) ?? text;
      return (isWhole ? wholeValue : shownValue)(text, types?.get(type), language, choices ?? []);
    },
    [types, phones, language],
  );
}

const isPhone = (types: Types | undefined, type: string) =>
  types?.get(type)?.lineage.includes('phone') ?? false;
