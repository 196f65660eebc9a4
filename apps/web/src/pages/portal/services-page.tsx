import { Stack, Table } from '@mantine/core';
import { PageHead } from '../../parts/frame.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { PortalPage } from '../../parts/portal/portal-page.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { services } from '../../platform/portal/services.ts';
import { useRead } from '../../platform/read.ts';
import { usePortalText } from '../../text/portal/index.tsx';

export function ServicesPage() {
  return (
    <PortalPage>
      <Services />
    </PortalPage>
  );
}

function Services() {
  const { t, language } = usePortalText();
  const list = useRead(services);
  const number = new Intl.NumberFormat(language);
  return (
    <Stack gap="lg">
      <PageHead title={t('portal.services')} lead={t('portal.services.lead')} />
      <LoadedList
        of={list}
        none={t('portal.services.none')}
        noneText={t('portal.services.none.text')}
        height={180}
      >
        {(found) => (
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('portal.service.name')}</Table.Th>
                <Table.Th scope="col">{t('portal.service.code')}</Table.Th>
                <Table.Th scope="col" ta="end">
                  {t('portal.service.connections')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {found.map((service) => (
                <Table.Tr key={service.id}>
                  <Table.Td>
                    <TextLink to="/portal/services/$serviceId" params={{ serviceId: service.id }} fw={600}>
                      {service.name}
                    </TextLink>
                  </Table.Td>
                  <Table.Td>{`${service.company_code}/${service.share_code}`}</Table.Td>
                  <Table.Td ta="end">{number.format(service.connection_count)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </LoadedList>
    </Stack>
  );
}
