/** What a button does; while it has nothing to do, it is no more than drawn so, and keeps the focus of who has just pressed it. */
export const resting = (isResting: boolean, onClick: () => void) => ({
  'aria-disabled': isResting,
  'data-disabled': isResting,
  onClick: isResting ? undefined : onClick,
});
