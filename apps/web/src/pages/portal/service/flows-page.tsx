import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Page } from '../../../ui/page.tsx';
import { FlowsSection } from '../flows-section.tsx';
import { ServiceFrame } from './service-frame.tsx';

export function FlowsPage() {
  return <ServiceFrame>{({ id, name }) => <Flows serviceId={id} name={name} />}</ServiceFrame>;
}

function Flows({ serviceId, name }: { serviceId: string; name: string }) {
  const { t } = usePortalText();
  return (
    <Page title={`${name}: ${t('flows.title')}`}>
      <FlowsSection serviceId={serviceId} />
      <SameByApi {...sameCalls.flows(serviceId)} />
    </Page>
  );
}
