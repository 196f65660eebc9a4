/** What tabs of this browser tell one another under a name. */
export interface Tabs<Message> {
  /** All other tabs hear it. */
  tell(message: Message): void;
  /** @returns ends hearing */
  hear(listener: (message: Message) => void): () => void;
}

/** Where this browser refuses it, as with all site data, tabs hear nothing of one another. */
export function tabs<Message>(name: string): Tabs<Message> {
  const open = () => {
    try {
      return new BroadcastChannel(name);
    } catch {
      return undefined;
    }
  };
  /** What this tab hears by. What is told by it is not heard by it, as it would be from another channel of the tab. */
  let own: BroadcastChannel | undefined;
  return {
    tell(message) {
      const channel = own ?? open();
      channel?.postMessage(message);
      if (channel !== own) channel?.close();
    },
    hear(listener) {
      const channel = open();
      own = channel;
      channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data));
      return () => {
        channel?.close();
        if (own === channel) own = undefined;
      };
    },
  };
}
