import type { CompanyConnection } from '@symbolon/protocol';
import { useNavigate } from '@tanstack/react-router';
import { AskedAct } from '../../../parts/portal/asked-act.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { endConnection } from '../../../platform/portal/customers.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { usePortalText } from '../../../text/portal/index.tsx';

/** Ends the connection of a customer, for admins. */
export function EndConnection({ serviceId, customer }: { serviceId: string; customer: CompanyConnection }) {
  const { t } = usePortalText();
  const navigate = useNavigate();
  const name = customer.display_name;
  if (!mayAs(usePortalLogin(), 'admin')) return null;
  return (
    <div>
      <AskedAct
        label={t('customer.end')}
        title={t('customer.end.title', { customer: name })}
        color="red"
        act={async () => {
          await endConnection(serviceId, customer.connection_id);
          await navigate({ to: '/portal/customers', search: { service: serviceId } });
        }}
      >
        <p>{t('customer.end.goes', { customer: name })}</p>
        <p>{t('customer.end.stays', { customer: name })}</p>
      </AskedAct>
    </div>
  );
}
