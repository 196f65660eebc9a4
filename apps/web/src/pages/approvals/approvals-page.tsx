import { useEffect } from 'react';
import { CompanyAvatar } from '../../parts/company-avatar.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { TimeLeft } from '../../parts/time-left.tsx';
import { openCards } from '../../platform/approvals.ts';
import { useRead } from '../../platform/read.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { List, RowButton } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { PushSwitch } from './push-switch.tsx';
import { askAgain, want } from './put-off.ts';

export function ApprovalsPage() {
  return (
    <MeFrame>
      <Approvals />
    </MeFrame>
  );
}

/** What waits for an approval; each opens over the page. */
function Approvals() {
  const { t } = useInsideText();
  const read = useRead(openCards);
  // Who comes here wants to see what was put off.
  useEffect(askAgain, []);
  return (
    <Page title={t('approvals.title')} lead={t('approvals.lead')}>
      <LoadedList of={read} none={t('approvals.none')} noneText={t('approvals.none.text')}>
        {(cards) => (
          <List>
            {cards.map(({ challenge_id: id, company, service, expires_at: until }) => (
              <RowButton
                key={id}
                onClick={() => want(id)}
                leading={<CompanyAvatar company={company} />}
                title={t('approvals.asks', { company: company.display_name })}
                detail={t('approvals.service', { service: service.name, code: company.company_code })}
                trailing={<TimeLeft until={until} />}
              />
            ))}
          </List>
        )}
      </LoadedList>
      <PushSwitch />
    </Page>
  );
}
