import { usePortalText } from '../../../text/portal/index.tsx';
import type { CustomerOfRun } from './state.ts';

/** Who takes part: the names that customers show, with their share codes, because names repeat. */
export function CustomerNames({ of }: { of: readonly CustomerOfRun[] }) {
  const { t, language } = usePortalText();
  const names = of.map(({ customer }) => {
    if (customer === undefined) return t('runs.customer.left');
    const { display_name: name, share_code: code } = customer;
    return code === null ? name : t('runs.customer.named', { name, code });
  });
  return new Intl.ListFormat(language, { type: 'unit' }).format(new Set(names));
}
