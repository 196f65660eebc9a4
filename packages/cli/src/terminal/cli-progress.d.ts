// The part of cli-progress that is used here; the package brings no types.
declare module 'cli-progress' {
  export class SingleBar {
    constructor(options: {
      format: string;
      stream?: NodeJS.WritableStream;
      hideCursor?: boolean;
      clearOnComplete?: boolean;
      barCompleteChar?: string;
      barIncompleteChar?: string;
      etaBuffer?: number;
      formatTime?: (seconds: number | string) => string;
    });
    start(total: number, startValue: number): void;
    setTotal(total: number): void;
    update(value: number): void;
    stop(): void;
  }
}
