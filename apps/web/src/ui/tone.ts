/** What a colour says: nothing, ours, well, soon, failed. It never says it alone: a word or a shape stands beside it. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
