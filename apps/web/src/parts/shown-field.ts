import { useCallback } from 'react';
import { bytesOf, type Fields, isFileType, type OpenField } from '../platform/fields.ts';
import { useInsideText } from '../text/inside/index.tsx';
import { useShownText } from './shown-text.ts';
import { useSize } from './size.ts';

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
