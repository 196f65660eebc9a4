import { useOperatorText } from '../../text/operator/index.tsx';
import { When } from '../when.tsx';

/** Since when the oldest of what waits does. @param at null: nothing waits */
export function Oldest({ at }: { at: string | null }) {
  const { t } = useOperatorText();
  if (at === null) return t('well.none');
  return (
    <>
      {t('well.oldest')} <When at={at} />
    </>
  );
}
