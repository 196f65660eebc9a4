import { Button, Group, Radio, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { lazy, Suspense, useId, useState } from 'react';
import { bytesOf, type Fields, type OpenField } from '../../../platform/fields.ts';
import { useText } from '../../../text/index.tsx';
import { useFieldLabel } from '../../field-label.ts';
import { useFocusWhenLost } from '../../focus.ts';
import { useShownText } from '../../shown-text.ts';
import { useSize } from '../../size.ts';
import { type Asked, asksFile, candidates, offersOf, type Picked, pickOf } from '../asked.ts';
import { AskedHead } from '../asked-head.tsx';
import classes from './field-choice.module.css';
import { Settled } from './settled.tsx';
import { Why } from './why.tsx';

const PluginChoice = lazy(() =>
  import('./plugin-choice.tsx').then(({ PluginChoice }) => ({ default: PluginChoice })),
);
const NewField = lazy(() => import('../new-field.tsx').then(({ NewField }) => ({ default: NewField })));

type Props = {
  asked: Asked;
  fields: Fields | undefined;
  picked: Picked | undefined;
  /** The others are shown beside what is picked. */
  isOpen: boolean;
  pick: (choice: Picked | undefined) => void;
  /** A new field is being typed; what is picked ends that. */
  isNew: boolean;
  setNew: (is: boolean) => void;
  added: (field: OpenField) => void;
};

/** Which of the person's fields answers; a new one can be added here. Where a plugin answers, no field does. */
export function FieldChoice(props: Props) {
  const { asked, fields, picked, isOpen, pick, isNew, setNew, added } = props;
  const { t } = useText();
  const labelOf = useFieldLabel();
  const size = useSize();
  const shown = useShownText(fields?.types.resolved, fields ? candidates(asked, fields) : []);
  const heading = useId();
  const why = useId();
  // What was picked before the person did anything needs one line, and the others on demand.
  const [isTouched, setTouched] = useState(isOpen || isNew);
  const isSettled = !isTouched && picked?.field !== undefined;
  const place = useFocusWhenLost(!isSettled);
  const [all, setAll] = useState(false);
  if (asked.plugin)
    return (
      <Suspense fallback={<Skeleton h={96} radius={8} />}>
        <PluginChoice asked={asked} plugin={asked.plugin} pick={pick} />
      </Suspense>
    );
  if (fields === undefined) return null;
  const chosen = picked?.field && picked;
  const isFile = asksFile(asked, fields);
  const { first, others } = offersOf(asked, fields);
  const showsAll = all || others.some(({ id }) => id === chosen?.field.id);
  const usable = showsAll ? [...first, ...others] : first;
  const label = labelOf.asked(asked, fields.types);
  const mayAdd = !asked.verified;
  const detailOf = ({ type, label: own, file }: OpenField) =>
    `${isFile ? labelOf(type, fields.types) : own}${file ? ` · ${size(bytesOf(file))}` : ''}`;
  // A file is known by its name.
  const written = ({ file, label: own, type, text }: OpenField) =>
    file ? own : shown({ type, text: text ?? '' });
  if (isSettled && chosen)
    return (
      <Settled
        {...{ asked, chosen, label, fields }}
        text={written(chosen.field)}
        change={() => setTouched(true)}
      />
    );
  const isAdding = mayAdd && (isNew || (asked.required && usable.length === 0));
  return (
    <Stack
      component="fieldset"
      gap="xs"
      className={classes.choice}
      aria-labelledby={heading}
      aria-describedby={asked.reason && why}
      ref={place}
    >
      <AskedHead asked={asked} label={label} id={heading} />
      <Why asked={asked} id={why} />
      {usable.map((field) => (
        <FieldCard
          key={field.id}
          isChosen={chosen?.field.id === field.id}
          text={written(field)}
          detail={detailOf(field)}
          choose={() => {
            setTouched(true);
            pick(chosen?.field.id === field.id && !asked.required ? undefined : pickOf(asked, field));
          }}
        />
      ))}
      {usable.length === 0 && others.length === 0 && asked.verified && (
        <Text size="sm">{t('consent.noVerified')}</Text>
      )}
      {chosen && <Chosen asked={asked} chosen={chosen} pick={pick} />}
      {isAdding ? (
        <Suspense fallback={<Skeleton h={96} radius={8} />}>
          <NewField
            type={asked.type}
            label={label}
            fields={fields}
            keptAs={`answer.${asked.id}`}
            submit={t(isFile ? 'files.keep' : 'consent.keep')}
            done={(field) => {
              setTouched(true);
              added(field);
              pick(pickOf(asked, field));
            }}
            {...((usable.length > 0 || !asked.required) && { cancel: () => setNew(false) })}
          />
        </Suspense>
      ) : (
        mayAdd && <More act={() => setNew(true)}>{t(isFile ? 'files.add' : 'consent.add')}</More>
      )}
      {others.length > 0 && !showsAll && <More act={() => setAll(true)}>{t('consent.other')}</More>}
    </Stack>
  );
}

function FieldCard(props: { isChosen: boolean; text: string; detail: string; choose: () => void }) {
  const { isChosen, text, detail, choose } = props;
  return (
    <Radio.Card
      data-autofocus={isChosen || undefined}
      checked={isChosen}
      className={classes.card}
      onClick={choose}
    >
      <Group wrap="nowrap" gap="sm">
        <Radio.Indicator />
        <div>
          <Text className={classes.value}>{text}</Text>
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        </div>
      </Group>
    </Radio.Card>
  );
}

/** Whether the page guessed what is picked, and whether the answer follows it. */
function Chosen(props: Pick<Props, 'asked' | 'pick'> & { chosen: Picked & { field: OpenField } }) {
  const { asked, chosen, pick } = props;
  const { field, live, isGuess } = chosen;
  const { t } = useText();
  return (
    <>
      {isGuess && (
        <Text size="sm" c="dimmed">
          {t('consent.guess')}
        </Text>
      )}
      {asked.mustLive && <Text size="sm">{t('consent.live.must')}</Text>}
      {asked.mayLive && !asked.mustLive && (
        <Switch
          checked={live}
          onChange={() => pick({ field, live: !live })}
          label={t('consent.live')}
          description={t(live ? 'consent.live.on' : 'consent.live.off')}
        />
      )}
    </>
  );
}

function More({ act, children }: { act: () => void; children: string }) {
  return (
    <Button variant="subtle" size="compact-md" className={classes.add ?? ''} onClick={act}>
      {children}
    </Button>
  );
}
