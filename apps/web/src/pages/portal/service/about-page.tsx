import type { Service } from '@symbolon/protocol';
import { IconForms, IconQrcode, IconRoute, IconSettings } from '@tabler/icons-react';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, RowLink } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { FlowsSection } from '../flows-section.tsx';
import { WebhooksSection } from '../webhooks/webhooks-section.tsx';
import { ServiceFrame } from './service-frame.tsx';

export function ServicePage() {
  return <ServiceFrame>{(service) => <About {...service} />}</ServiceFrame>;
}

/** One service whole: what belongs to it, its flows, and how its webhooks stand. */
function About({ id, name, company_code: company, share_code: code, connection_count, audience }: Service) {
  const { t, count } = usePortalText();
  const facts = [
    `${company}/${code}`,
    count('portal.connections', connection_count),
    t(`portal.audience.${audience}`),
  ];
  const params = { serviceId: id };
  return (
    <Page title={name} lead={facts.join(' · ')}>
      <List label={name}>
        <RowLink
          to="/portal/services/$serviceId/asks"
          params={params}
          parts={{ leading: <IconTile icon={IconForms} tone="accent" />, title: t('asks.place') }}
        />
        <RowLink
          to="/portal/services/$serviceId/code"
          params={params}
          parts={{ leading: <IconTile icon={IconQrcode} tone="accent" />, title: t('code.place') }}
        />
        <RowLink
          to="/portal/services/$serviceId/flows"
          params={params}
          parts={{ leading: <IconTile icon={IconRoute} tone="accent" />, title: t('flows.title') }}
        />
        <RowLink
          to="/portal/services/$serviceId/settings"
          params={params}
          parts={{ leading: <IconTile icon={IconSettings} tone="accent" />, title: t('settings.place') }}
        />
      </List>
      <FlowsSection serviceId={id} />
      <WebhooksSection serviceId={id} />
      <SameByApi {...sameCalls.service(id)} />
    </Page>
  );
}
