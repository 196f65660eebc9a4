import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { PluginGiven } from '../../../platform/given.ts';
import { pluginsWith } from '../../../platform/plugin-fields.ts';
import type { Asked, Picked } from '../asked.ts';
import { PluginInput } from '../plugin-input.tsx';
import classes from './field-choice.module.css';
import { Why } from './why.tsx';

const NO_INPUTS = new Map<string, unknown>();

/** Something asked that a plugin answers. It counts as chosen once the plugin has said what comes of it. */
export function PluginChoice(props: {
  asked: Asked;
  plugin: NonNullable<Asked['plugin']>;
  pick: (choice: Picked | undefined) => void;
}) {
  const { asked, plugin, pick } = props;
  const { slug, snapshot, passFor } = plugin;
  const [plugins] = useState(() => pluginsWith(passFor));
  const [given, setGiven] = useState<PluginGiven>();
  const label = asked.label ?? snapshot.label ?? slug;
  return (
    <Stack className={classes.choice}>
      <PluginInput
        plugins={plugins}
        element={{ slug, label, required: asked.required, snapshot, inputs: NO_INPUTS }}
        answer={given}
        give={(answer) => {
          setGiven(answer);
          pick(answer?.text === undefined ? undefined : { text: answer.text });
        }}
        error={undefined}
        why={<Why asked={asked} />}
      />
    </Stack>
  );
}
