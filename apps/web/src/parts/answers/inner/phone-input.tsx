import { Group, Select, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useText } from '../../../text/index.tsx';
import { useCountries, useHomeCountry } from '../../countries.ts';
import { usePhones } from '../../use-phones.ts';
import { type Keyboard, lacksCountry } from './keyboard.ts';
import classes from './phone-input.module.css';

type Props = {
  label: string;
  keyboard: Keyboard;
  required: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  change: (value: string) => void;
};

/**
 * A telephone number as people of its country write it, or with the code of the country. What is kept has the code: the country is
 * the one that the number says, or the one that is chosen beside it.
 */
export function PhoneInput({ label, keyboard, required, hint, error, value, change }: Props) {
  const { t } = useText();
  const phones = usePhones();
  const countries = useCountries();
  const [home, setHome] = useState(useHomeCountry());
  /** What stands in the input, and what came of it. */
  const [typed, setTyped] = useState({ text: value, kept: value });
  // Another value came from elsewhere.
  const text = typed.kept === value ? typed.text : value;
  const country = phones?.countryOfPhone(text) ?? home;
  const keep = (next: string, of: string) => {
    const kept = phones?.wholePhone(next, of) ?? next;
    setTyped({ text: next, kept });
    if (kept !== value) change(kept);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed before the tables were there
  useEffect(() => {
    if (phones !== undefined && text !== '') keep(text, country);
  }, [phones]);
  const isWhole = phones?.wholePhone(text, country) !== undefined;
  const isNational = isWhole && lacksCountry(text);
  return (
    <Group gap="sm" align="flex-start" className={classes.phone}>
      <TextInput
        label={label}
        type="tel"
        {...keyboard}
        className={classes.number}
        description={
          isNational
            ? t('fields.phone.kept', { number: phones?.shownPhone(value) ?? value })
            : lacksCountry(text) && phones !== undefined
              ? t('fields.phone.country')
              : hint
        }
        required={required}
        error={error}
        value={text}
        onChange={(event) => keep(event.currentTarget.value, country)}
      />
      <Select
        label={t('fields.phone.of')}
        className={classes.country}
        data={countries.map(({ code, name }) => {
          const dial = phones?.dialCode(code);
          return { value: code, label: dial === undefined ? name : `${name} +${dial}` };
        })}
        searchable
        allowDeselect={false}
        autoComplete="off"
        value={country}
        onChange={(next) => {
          if (next === null) return;
          setHome(next);
          keep(lacksCountry(text) ? text : (phones?.movedPhone(text, next) ?? text), next);
        }}
      />
    </Group>
  );
}
