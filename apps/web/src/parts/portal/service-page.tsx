import { Group } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import type { ReactNode } from 'react';
import { services } from '../../platform/portal/services.ts';
import { type Read, useRead } from '../../platform/read.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { Page } from '../../ui/page.tsx';
import { LoadedList } from '../loaded.tsx';
import { ChooseService } from './choose-service.tsx';

/** The services of the company, and the one that is shown: the wanted one, or the first. */
export function useShownService(wanted: string | undefined): {
  list: Read<readonly Service[]>;
  found: readonly Service[];
  service: Service | undefined;
} {
  const list = useRead(services);
  const found = list.found ?? [];
  return { list, found, service: shownOf(found, wanted) };
}

export const shownOf = (found: readonly Service[], wanted: string | undefined): Service | undefined =>
  found.find(({ id }) => id === wanted) ?? found[0];

/** A page about one service, whose id stands in the address. Those of several services choose among them. */
export function ServicePage({
  title,
  lead,
  wanted,
  back,
  choose,
  children,
}: {
  title: string;
  lead: string;
  /** The id in the address. */
  wanted: string | undefined;
  /** The way to the place that the page belongs to. */
  back: (serviceId: string | undefined) => ReactNode;
  choose: (serviceId: string) => void;
  children: (service: Service) => ReactNode;
}) {
  const { t } = usePortalText();
  const { list, found, service } = useShownService(wanted);
  return (
    <Page title={title} lead={lead} back={back(service?.id)}>
      <LoadedList of={list} none={t('access.none')} noneText={t('access.none.text')} height={300}>
        {() =>
          service && (
            <>
              {found.length > 1 && (
                <Group>
                  <ChooseService found={found} chosen={service} choose={choose} />
                </Group>
              )}
              {children(service)}
            </>
          )
        }
      </LoadedList>
    </Page>
  );
}
