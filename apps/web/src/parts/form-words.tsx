import { useEffect } from 'react';
import { useText } from '../text/index.tsx';

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Browsers say what a form lacks in their own language: here they say it in that of the page. */
export function FormWords() {
  const { t } = useText();
  useEffect(() => {
    let told: Input | undefined;
    /** A browser takes an input that was marked so for wrong, whatever stands in it. */
    const clear = () => {
      told?.setCustomValidity('');
      told = undefined;
    };
    const tell = ({ target }: Event) => {
      if (told !== undefined || !isInput(target)) return;
      const { validity } = target;
      if (validity.valueMissing) target.setCustomValidity(t('form.missing'));
      else if (target.type === 'email') target.setCustomValidity(t('form.email'));
      else target.setCustomValidity(t('form.wrong'));
      told = target;
    };
    document.addEventListener('invalid', tell, true);
    for (const act of ACTS) document.addEventListener(act, clear, true);
    return () => {
      document.removeEventListener('invalid', tell, true);
      for (const act of ACTS) document.removeEventListener(act, clear, true);
    };
  }, [t]);
  return null;
}

/** What comes before a form is sent again. */
const ACTS = ['input', 'pointerdown', 'keydown', 'click'] as const;

const isInput = (target: EventTarget | null): target is Input =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;
