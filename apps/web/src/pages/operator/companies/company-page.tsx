import { NativeSelect, Stack } from '@mantine/core';
import type { AdminCompany, AdminRegion, CompanyLevel, MessagingSuspension } from '@symbolon/protocol';
import { companyLevels } from '@symbolon/protocol/constants';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { ActSheet } from '../../../parts/operator/act-sheet.tsx';
import { Commands } from '../../../parts/operator/commands.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import {
  companyQuery,
  messagingQuery,
  moveCompany,
  setLevel,
  suspendMessaging,
} from '../../../platform/operator/companies.ts';
import { regionsQuery } from '../../../platform/operator/watch.ts';
import { useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';

export function CompanyPage() {
  return (
    <OperatorPage>
      <Company />
    </OperatorPage>
  );
}

function Company() {
  const { t, language } = useOperatorText();
  const { companyId } = useParams({ from: '/operator/companies/$companyId' });
  const company = useRead(companyQuery(companyId));
  const number = new Intl.NumberFormat(language);
  return (
    <Loaded of={company} height={300}>
      {(found) => (
        <Page title={found.name} lead={found.company_code}>
          <TextLink to="/operator/companies" size="sm">
            {t('companies.all')}
          </TextLink>
          <Facts
            facts={[
              [t('companies.serviceCount'), number.format(found.services)],
              [t('companies.connections'), number.format(found.connections)],
              [t('companies.registered'), <When key="since" at={found.created_at} />],
              [t('companies.region'), found.region],
              [t('company.email'), found.email || t('company.email.elsewhere')],
              [t('company.id'), found.company_user_id],
            ]}
          />
          <Level company={found} changed={company.load} />
          <Messaging company={found} />
          <Move company={found} changed={company.load} />
          <Commands
            lines={[`level ${found.company_code} LEVEL`, `move-company ${found.company_code} --to REGION`]}
          />
        </Page>
      )}
    </Loaded>
  );
}

function Level({ company, changed }: { company: AdminCompany; changed: () => Promise<void> }) {
  const { t } = useOperatorText();
  const { company_user_id: id, level, name } = company;
  const [next, setNext] = useState<CompanyLevel>();
  const isLess = next !== undefined && companyLevels.indexOf(next) < companyLevels.indexOf(level);
  return (
    <Group title={t('company.level')} lead={t('company.level.lead')}>
      <List label={t('company.level')}>
        <Row
          title={level}
          detail={t(`company.level.${level}`)}
          trailing={
            <ActButton variant="default" size="sm" onClick={() => setNext(level)}>
              {t('company.level.change')}
            </ActButton>
          }
        />
      </List>
      {next !== undefined && (
        <ActSheet
          title={t('company.level.title', { name })}
          text={t(isLess ? 'company.level.less' : 'company.level.what')}
          label={t('company.level.set')}
          disabled={next === level}
          close={() => setNext(undefined)}
          act={async () => {
            await setLevel(id, next);
            await changed();
          }}
        >
          <NativeSelect
            label={t('company.level')}
            description={t(`company.level.${next}`)}
            autoComplete="off"
            value={next}
            data={companyLevels.map((value) => ({ value, label: value }))}
            onChange={(event) => setNext(event.currentTarget.value as CompanyLevel)}
          />
        </ActSheet>
      )}
    </Group>
  );
}

const KINDS = ['messages', 'broadcasts'] as const;

function Messaging({ company: { company_user_id: id, name } }: { company: AdminCompany }) {
  const { t } = useOperatorText();
  const messaging = useRead(messagingQuery(id));
  const [asked, setAsked] = useState<{ kind: (typeof KINDS)[number]; next: MessagingSuspension }>();
  return (
    <Group title={t('company.messaging')} lead={t('company.messaging.lead')}>
      <Loaded of={messaging} height={120}>
        {(found) => (
          <List label={t('company.messaging')}>
            {KINDS.map((kind) => (
              <Row
                key={kind}
                title={t(`company.messaging.${kind}`)}
                detail={<Status tone={found[kind] ? 'bad' : 'good'}>{t(stateOf(found[kind]))}</Status>}
                trailing={
                  <ActButton
                    variant="default"
                    size="sm"
                    aria-label={`${t(actOf(found[kind]))}: ${t(`company.messaging.${kind}`)}`}
                    onClick={() => setAsked({ kind, next: { ...found, [kind]: !found[kind] } })}
                  >
                    {t(actOf(found[kind]))}
                  </ActButton>
                }
              />
            ))}
          </List>
        )}
      </Loaded>
      {asked !== undefined && (
        <ActSheet
          title={`${t(`company.messaging.${asked.kind}`)}: ${name}`}
          text={t(asked.next[asked.kind] ? `company.messaging.${asked.kind}.text` : 'company.messaging.end')}
          label={t(actOf(!asked.next[asked.kind]))}
          danger={asked.next[asked.kind]}
          close={() => setAsked(undefined)}
          act={async () => {
            await suspendMessaging(id, asked.next);
            await messaging.load();
          }}
        />
      )}
    </Group>
  );
}

const stateOf = (isSuspended: boolean) =>
  isSuspended ? ('company.messaging.suspended' as const) : ('company.messaging.works' as const);
const actOf = (isSuspended: boolean) =>
  isSuspended ? ('company.messaging.allow' as const) : ('company.messaging.suspend' as const);

/** Where there is more than one region. */
function Move({ company, changed }: { company: AdminCompany; changed: () => Promise<void> }) {
  const { t } = useOperatorText();
  const regions = useRead(regionsQuery);
  return (
    <Loaded of={regions} height={80}>
      {(found) => {
        const others = found.filter(({ name }) => name !== company.region);
        return others.length > 0 && <MoveTo company={company} others={others} changed={changed} />;
      }}
    </Loaded>
  );

  function MoveTo(props: {
    company: AdminCompany;
    others: readonly AdminRegion[];
    changed: () => Promise<void>;
  }) {
    const { company_user_id: id, name } = props.company;
    const [to, setTo] = useState<string>();
    return (
      <Group title={t('moves.title')} lead={t('company.move.lead')}>
        <Stack align="flex-start">
          <ActButton variant="default" onClick={() => setTo(props.others[0]?.name)}>
            {t('company.move')}
          </ActButton>
        </Stack>
        {to !== undefined && (
          <ActSheet
            title={t('company.move.title', { name })}
            text={t('company.move.text')}
            label={t('company.move.start')}
            typed={name}
            close={() => setTo(undefined)}
            act={async () => {
              await moveCompany(id, to);
              await props.changed();
            }}
          >
            <NativeSelect
              label={t('company.move.to')}
              autoComplete="off"
              value={to}
              data={props.others.map(({ name: region }) => region)}
              onChange={(event) => setTo(event.currentTarget.value)}
            />
          </ActSheet>
        )}
      </Group>
    );
  }
}
