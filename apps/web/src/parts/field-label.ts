import { useText } from '../text/index.tsx';
import { fieldLabels } from './inner/labels.ts';

/** What people call fields and what is asked of them, in the language of the page. */
export function useFieldLabel() {
  const { maybe } = useText();
  return fieldLabels(maybe);
}
