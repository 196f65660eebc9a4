import { useCallback } from 'react';

/**
 * Gives the focus to what takes the place of the button that was pressed: the focus goes with the button.
 * @returns a ref for what takes its place
 */
export function useFocusWhenLost(isOn = true) {
  return useCallback(
    (place: HTMLElement | null) => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (place === null || !isOn || !isLost) return;
      const target = place.querySelector<HTMLElement>('[data-autofocus]') ?? place.querySelector('button');
      target?.focus();
    },
    [isOn],
  );
}
