import { useCallback } from 'react';
import { bytesOf, type Fields, isFileType, type OpenField } from '../platform/fields.ts';
import { shownValue, wholeValue } from '../platform/shown-value.ts';
import { useInsideText } from '../text/inside/index.tsx';
import { useSize } from './size.ts';
import { usePhones } from './use-phones.ts';

type Resolved = Fields['types']['resolved'];

/** What a field holds, on one line: its value, or the name and size of its file. Of a secret the end alone, unless it is asked for whole. */
export function useShownField(
  all: Pick<Fields, 'types' | 'fields'> | undefined,
): (field: OpenField, isWhole?: boolean) => string {
  const { t } = useInsideText();
  const size = useSize();
  const shown = useShownText(all?.types.resolved, all?.fields ?? []);
  const types = all?.types;
  return useCallback(
    ({ type, text, label, file }, isWhole = false) => {
      if (types && isFileType(types, type))
        return file ? `${label}, ${size(bytesOf(file))}` : t('fields.empty');
      if (text === null) return t('fields.unreadable');
      return shown({ type, text }, isWhole);
    },
    [types, size, t, shown],
  );
}

/** A text of a type, on one line. @param all what may be shown: the plans of telephone numbers are loaded when there is a number */
export function useShownText(
  types: Resolved | undefined,
  all: readonly { type: string }[],
): (of: { type: string; text: string }, isWhole?: boolean) => string {
  const { language } = useInsideText();
  const phones = usePhones(all.some(({ type }) => isPhone(types, type)));
  return useCallback(
    ({ type, text }, isWhole = false) => {
      if (isPhone(types, type)) return phones?.shownPhone(text) ?? text;
      return (isWhole ? wholeValue : shownValue)(text, types?.get(type), language);
    },
    [types, phones, language],
  );
}

const isPhone = (types: Resolved | undefined, type: string) =>
  types?.get(type)?.lineage.includes('phone') ?? false;
