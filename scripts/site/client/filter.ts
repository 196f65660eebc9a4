/** Lets a list be narrowed by typing: of operations, of errors. */
export function offerFilter(): void {
  const input = document.querySelector<HTMLInputElement>('input[data-filter]');
  if (input === null) return;
  const rows = [...document.querySelectorAll<HTMLElement>('[data-operation]')].map((row) => ({
    row,
    text: (row.textContent ?? '').toLowerCase(),
  }));
  const groups = [...document.querySelectorAll<HTMLElement>('section.group')];
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
    for (const group of groups)
      group.hidden = [...group.querySelectorAll<HTMLElement>('[data-operation]')].every(
        ({ hidden }) => hidden,
      );
  });
}
