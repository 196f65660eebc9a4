import classes from './code.module.css';

/** What a program reads or writes. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
    <section aria-label={label} tabIndex={0} className={classes.code}>
      <pre>{children}</pre>
    </section>
  );
}
