import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { NewField } from '../../parts/answers/new-field.tsx';
import { useFieldLabel } from '../../parts/field-label.ts';
import { TypeChoice } from '../../parts/type-choice.tsx';
import type { Fields } from '../../platform/fields.ts';
import { useText } from '../../text/index.tsx';
import { Sheet } from '../../ui/sheet.tsx';

const LABEL_MOST = 100;

/** Of a file, without what its kind is called by. */
const nameOf = (file: File | undefined) => file?.name.replace(/\.[^.]+$/, '').slice(0, LABEL_MOST);

type Props = {
  fields: Fields;
  opened: boolean;
  /** A file that another app has shared: its type is known. */
  shared?: File | undefined;
  close: () => void;
  added: () => Promise<void>;
};

/** What a shared file is kept as. */
const typeOf = ({ type }: File) =>
  type.startsWith('image/') ? 'photo' : type === 'application/pdf' ? 'pdf_document' : 'document';

/** A new field: first what it is, by picture and example, then what it is called and holds. */
export function AddSheet({ fields, opened, shared, close, added }: Props) {
  const { t } = useText();
  const labelOf = useFieldLabel();
  const [chosenType, setType] = useState<string>();
  const type = shared === undefined ? chosenType : typeOf(shared);
  const stop = () => {
    setType(undefined);
    close();
  };
  return (
    <Sheet
      title={type === undefined ? t('fields.add') : labelOf(type, fields.types)}
      opened={opened}
      close={stop}
      closeLabel={t('app.close')}
    >
      {type === undefined ? (
        <TypeChoice types={fields.types} choose={setType} />
      ) : (
        <Filling
          key={`${type} ${shared?.name}`}
          type={type}
          fields={fields}
          shared={shared}
          stop={stop}
          done={() => {
            setType(undefined);
            close();
            added();
          }}
        />
      )}
    </Sheet>
  );
}

type FillingProps = {
  type: string;
  fields: Fields;
  shared: File | undefined;
  done: () => void;
  stop: () => void;
};

function Filling({ type, fields, shared, done, stop }: FillingProps) {
  const { t } = useText();
  const labelOf = useFieldLabel();
  const [label, setLabel] = useState(() => nameOf(shared) || labelOf(type, fields.types));
  return (
    <Stack>
      <TextInput
        label={t('fields.label')}
        autoComplete="off"
        maxLength={LABEL_MOST}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <NewField
        type={type}
        label={label.trim() || labelOf(type, fields.types)}
        fields={fields}
        submit={t('fields.save')}
        chosen={shared}
        done={done}
        cancel={stop}
      />
    </Stack>
  );
}
