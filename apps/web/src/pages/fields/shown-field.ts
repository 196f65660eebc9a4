import { useSize } from '../../parts/size.ts';
import { usePhones } from '../../parts/use-phones.ts';
import { bytesOf, type Fields, isFileType, type OpenField } from '../../platform/fields.ts';
import { shownValue, wholeValue } from '../../platform/shown-value.ts';
import { useText } from '../../text/index.tsx';

/** What a field holds, on one line: its value, or the name and size of its file. Of a secret the end alone, unless it is asked for whole. */
export function useShownField({
  types,
  fields,
}: Pick<Fields, 'types' | 'fields'>): (field: OpenField, isWhole?: boolean) => string {
  const { t, language } = useText();
  const size = useSize();
  const phones = usePhones(fields.some(({ type }) => isPhone(types, type)));
  return ({ type, text, label, file }, isWhole = false) => {
    if (isFileType(types, type)) return file ? `${label}, ${size(bytesOf(file))}` : t('fields.empty');
    if (text === null) return t('fields.unreadable');
    if (isPhone(types, type)) return phones?.shownPhone(text) ?? text;
    return (isWhole ? wholeValue : shownValue)(text, types.resolved.get(type), language);
  };
}

const isPhone = ({ resolved }: Fields['types'], type: string) =>
  resolved.get(type)?.lineage.includes('phone') ?? false;
