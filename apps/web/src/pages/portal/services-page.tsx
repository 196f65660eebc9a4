import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { EmptyState, PageHead } from '../../parts/frame.tsx';
import { PortalPage } from '../../parts/portal/portal-page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useRead } from '../../parts/read.ts';
import { TextLink } from '../../parts/text-link.tsx';
import { listServices } from '../../platform/portal/services.ts';
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
  const { found: list, error, load } = useRead(listServices);
  const number = new Intl.NumberFormat(language);
  return (
    <Stack gap="lg">
      <PageHead title={t('portal.services')} lead={t('portal.services.lead')} />
      {error !== undefined && <Problem error={error} retry={load} />}
      {list === undefined && error === undefined && <Skeleton h={180} radius={8} />}
      {list?.length === 0 && (
        <EmptyState title={t('portal.services.none')}>
          <Text c="dimmed">{t('portal.services.none.text')}</Text>
        </EmptyState>
      )}
      {list !== undefined && list.length > 0 && (
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
            {list.map((service) => (
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
    </Stack>
  );
}
