import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Done, endUndo, lastDone, whenDone } from '../platform/undo.ts';
import { useInsideText } from '../text/inside/index.tsx';
import { Toast } from '../ui/toast.tsx';
import { useAct, useErrorText } from './problem.tsx';

/** Long enough to read it twice. */
const SHOWN_MS = 20_000;

/** The way back from what was just done: for a while, and as long as someone looks at it. */
export function Undo() {
  const { t } = useInsideText();
  const done = useSyncExternalStore(whenDone, lastDone);
  const textOf = useErrorText();
  const { busy, error, run, clear } = useAct();
  const [isHeld, setHeld] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what failed was about the one before
  useEffect(clear, [done]);
  useEffect(() => {
    if (done === undefined || isHeld || busy) return;
    const timer = setTimeout(() => endUndo(done), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done, isHeld, busy]);
  const takeBack = (what: Done) =>
    run(async () => {
      await what.undo();
      endUndo(what);
    });
  return (
    <Toast
      shown={
        done && {
          text: error === undefined ? done.text : textOf(error),
          act: { label: t('undo'), run: () => takeBack(done), busy },
        }
      }
      label={t('undo.label')}
      close={() => done && endUndo(done)}
      closeLabel={t('app.close')}
      hold={() => setHeld(true)}
      release={() => setHeld(false)}
    />
  );
}
