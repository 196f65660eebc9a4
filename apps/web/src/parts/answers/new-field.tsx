import { useState } from 'react';
import { addField, type Fields, isFileType, newField, type OpenField } from '../../platform/fields.ts';
import type { NewContent } from '../../platform/files.ts';
import type { Report } from '../../platform/uploads.ts';
import { useText } from '../../text/index.tsx';
import { FileForm } from './file-form.tsx';
import { ValueForm } from './value-form.tsx';

type Props = {
  type: string;
  label: string;
  fields: Fields;
  /** As for `ValueForm`. */
  keptAs?: string | undefined;
  submit: string;
  /** Its file, where the person has chosen it already. */
  chosen?: File | undefined;
  done: (field: OpenField) => void;
  cancel?: () => void;
};

/** A new field, typed or chosen here and kept for the next time. */
export function NewField({ type: name, label, fields, keptAs, submit, chosen, done, cancel }: Props) {
  const { t } = useText();
  const type = fields.types.resolved.get(name);
  // Made before its file goes up: what fails then is tried again with the same field.
  const [made, setMade] = useState<OpenField>();
  if (type === undefined) return null;
  const saveFile = async (content: NewContent, report: Report) => {
    const field = made ?? (await newField({ type: name, label }));
    setMade(field);
    const { saveFile } = await import('../../platform/files.ts');
    done({ ...field, file: await saveFile(field.id, content, report) });
  };
  if (isFileType(fields.types, name))
    return <FileForm {...{ type, label, submit, chosen, cancel }} save={saveFile} />;
  return (
    <ValueForm
      type={type}
      label={t('consent.value', { label })}
      keptAs={keptAs}
      submit={submit}
      save={async (value) => done(await addField({ type: name, label, value }, fields))}
      cancel={cancel}
    />
  );
}
