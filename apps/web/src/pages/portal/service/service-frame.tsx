import type { Service } from '@symbolon/protocol';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { PortalPage } from '../../../parts/portal/portal-page.tsx';
import { serviceQuery } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';

/** A page about one service, once it is read. */
export function ServiceFrame({
  children,
}: {
  children: (service: Service, changed: () => Promise<void>) => ReactNode;
}) {
  return (
    <PortalPage>
      <Inside>{children}</Inside>
    </PortalPage>
  );
}

function Inside({ children }: { children: (service: Service, changed: () => Promise<void>) => ReactNode }) {
  const { serviceId } = useParams({ strict: false });
  const service = useRead(serviceQuery(serviceId ?? ''));
  return <Loaded of={service}>{(found) => children(found, service.load)}</Loaded>;
}
