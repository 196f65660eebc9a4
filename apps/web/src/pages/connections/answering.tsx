import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Asked, pickedOf } from '../../parts/answers/asked.ts';
import { FieldChoices } from '../../parts/answers/field-choices.tsx';
import { ShareButtons } from '../../parts/answers/share-buttons.tsx';
import { type AllPicked, usePicked } from '../../parts/answers/use-picked.ts';
import { ChangedKey, isChangedKey } from '../../parts/changed-key.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import type { RowAnswers } from '../../platform/answers.ts';
import type { Connection } from '../../platform/connections.ts';
import type { Fields, OpenField } from '../../platform/fields.ts';
import { useSession } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';

export type AnsweringProps = {
  connection: Connection;
  fields: Fields;
  changed: (next: Connection) => void;
  added: (field: OpenField) => void;
};

/** Rows of a service that the person is connected to, answered by fields. */
export function Answering(
  props: AnsweringProps & {
    /** The name under which what is picked is kept. */
    about: string;
    asked: readonly Asked[];
    first: AllPicked;
    isOpen?: boolean;
    label: (count: number) => string;
    share: (personId: string, rows: RowAnswers) => Promise<Connection>;
    children?: ReactNode;
    cancel?: () => void;
  },
) {
  const { connection, fields, changed, added, about, asked, first, isOpen = false, share, cancel } = props;
  const { t } = useText();
  const session = useSession();
  const { busy, error, run, clear } = useAct();
  const picks = usePicked(about, asked, fields, first, clear);
  const { picked } = picks;
  const { company, service } = connection;
  const send = () =>
    run(async () => {
      if (session.state !== 'in') return;
      const next = await share(session.person.person_user_id, pickedOf('row', asked, picked));
      picks.drop();
      changed(next);
    });
  return (
    <>
      <FieldChoices {...{ asked, fields, picks, isOpen, added }} />
      {isChangedKey(error) ? (
        <ChangedKey
          error={error}
          named={{ kind: 'service', id: service.id, publicKey: service.public_key }}
          name={company.display_name}
          company={company.display_name}
          label={t('keys.confirm')}
          confirmed={send}
        />
      ) : (
        <Problem error={error} />
      )}
      <ShareButtons label={props.label(picked.size)} share={send} busy={busy} asked={asked} picked={picked}>
        {props.children}
        {cancel && (
          <Button
            variant="subtle"
            color="gray"
            disabled={busy}
            onClick={() => {
              picks.drop();
              cancel();
            }}
          >
            {t('app.cancel')}
          </Button>
        )}
      </ShareButtons>
    </>
  );
}
