import { Stack, TextInput } from '@mantine/core';
import { NewField } from '../../parts/answers/new-field.tsx';
import { useFieldLabel } from '../../parts/field-label.ts';
import { TypeChoice } from '../../parts/type-choice.tsx';
import { useKept } from '../../parts/use-kept.ts';
import type { Fields } from '../../platform/fields.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Sheet } from '../../ui/sheet.tsx';

const LABEL_MOST = 100;

/** Of a file, without what its kind is called by. */
const nameOf = (file: File | undefined) => file?.name.replace(/\.[^.]+$/, '').slice(0, LABEL_MOST);

type Props = {
  fields: Fields;
  opened: boolean;
  /** What is added; undefined as long as it is not chosen. */
  type: string | undefined;
  setType: (type: string) => void;
  /** A file that another app has shared: its type is known. */
  shared?: File | undefined;
  close: () => void;
  added: () => Promise<void>;
};

/** What a shared file is kept as. */
const typeOf = ({ type }: File) =>
  type.startsWith('image/') ? 'photo' : type === 'application/pdf' ? 'pdf_document' : 'document';

/** A new field: first what it is, by picture and example, then what it is called and holds. */
export function AddSheet(props: Props) {
  const { fields, opened, shared, setType, close, added } = props;
  const { t } = useInsideText();
  const labelOf = useFieldLabel();
  const type = shared === undefined ? props.type : typeOf(shared);
  return (
    <Sheet
      title={type === undefined ? t('fields.add') : labelOf(type, fields.types)}
      opened={opened}
      close={close}
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
          stop={close}
          done={() => {
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
  const { t } = useInsideText();
  const labelOf = useFieldLabel();
  const name = `new.${type}`;
  const kept = shared === undefined ? `${name}.label` : undefined;
  const {
    value: label,
    change: setLabel,
    drop,
  } = useKept(kept, () => nameOf(shared) || labelOf(type, fields.types));
  const ending = (next: () => void) => () => {
    drop();
    next();
  };
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
        keptAs={name}
        submit={t('fields.save')}
        chosen={shared}
        done={ending(done)}
        cancel={ending(stop)}
      />
    </Stack>
  );
}
