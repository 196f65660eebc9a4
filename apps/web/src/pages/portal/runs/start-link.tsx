import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { mayAs } from '../../../platform/portal/session.ts';
import { usePortalText } from '../../../text/portal/index.tsx';

/** The way to start a flow, for who may. */
export function StartLink({
  serviceId,
  search,
}: {
  serviceId: string;
  search: { readonly flow?: string; readonly customer?: string };
}) {
  const { t } = usePortalText();
  if (!mayAs(usePortalLogin(), 'developer')) return null;
  return (
    <TextLink to="/portal/services/$serviceId/runs/new" params={{ serviceId }} search={search} size="sm">
      {t('start.title')}
    </TextLink>
  );
}
