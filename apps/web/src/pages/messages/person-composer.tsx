import { useMemo } from 'react';
import { ChangedKey, isChangedKey } from '../../parts/changed-key.tsx';
import { Composer } from '../../parts/messages/composer.tsx';
import { useDraftText } from '../../parts/messages/use-draft-text.ts';
import { personDrafts } from '../../platform/drafts.ts';
import type { Partner } from '../../platform/messages.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';

type Props = { whom: Partner; session: SignedIn; send: (text: string) => Promise<void> };

/** Where the person writes. What was begun is kept, and a changed key of the service is compared before it is used. */
export function PersonComposer({ whom, session, send }: Props) {
  const { t } = useInsideText();
  const { company, service, connection_id: connectionId } = whom;
  const holder = useMemo(() => personDrafts(session), [session]);
  const { text, setText, startOver } = useDraftText(connectionId, holder);
  const name = company.display_name;
  return (
    <Composer
      name={name}
      text={text}
      setText={setText}
      send={async (written) => {
        await send(written);
        startOver();
      }}
      failure={(error, again) =>
        isChangedKey(error) && (
          <ChangedKey
            error={error}
            named={{ kind: 'service', id: service.id, publicKey: service.public_key }}
            name={name}
            company={name}
            label={t('keys.confirm.send')}
            confirmed={again}
          />
        )
      }
    />
  );
}
