import { useEffect, useMemo, useState } from 'react';
import { ChangedKey, isChangedKey } from '../../parts/changed-key.tsx';
import { Composer } from '../../parts/messages/composer.tsx';
import { useKeptDraft } from '../../parts/use-kept-draft.ts';
import { Draft } from '../../platform/drafts.ts';
import type { Partner } from '../../platform/messages.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';

type Props = { whom: Partner; session: SignedIn; send: (text: string) => Promise<void> };

/** What was begun to write to a service, here or on another device. */
function useDraftText({ connection_id: id }: Partner, session: SignedIn) {
  const draft = useMemo(() => new Draft<string>(`message.${id}`, session), [id, session]);
  const [typed, setTyped] = useState<string>();
  const [kept, setKept] = useState('');
  useEffect(() => {
    draft.read().then((begun) => setKept(begun.get('text') ?? ''));
  }, [draft]);
  // Until it is read, what is typed counts.
  const text = typed ?? kept;
  const now = useMemo(
    () => (typed === undefined ? undefined : new Map(typed === '' ? [] : [['text', typed]])),
    [typed],
  );
  useKeptDraft(draft, now);
  const startOver = () => {
    draft.startOver();
    setKept('');
    setTyped(undefined);
  };
  return { text, setText: setTyped, startOver };
}

/** Where the person writes. What was begun is kept, and a changed key of the service is compared before it is used. */
export function PersonComposer({ whom, session, send }: Props) {
  const { t } = useText();
  const { text, setText, startOver } = useDraftText(whom, session);
  const { company, service } = whom;
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
