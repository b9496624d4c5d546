/** What a turn begins with. */
export interface Begun {
  /** The newest text, unless it is the one that this server has read or written last. */
  text?: string | null | undefined
  /** The receipts as the last `write` has put them beside the text: `''` before the first. */
  receipts: string
}

/**
 * Where the data is kept as one text, such as a row of a database, perhaps for several servers that take
 * turns. No function is called before the promise of the last one has settled, so each must reject after some
 * time. A turn ends with `write` or `release`, even if that rejects: nothing may be written in it later.
 */
export interface Store {
  /** Waits until this server alone may write, and reads. A call after a lost turn waits for its end, too. */
  begin(): Promise<Begun>
  /** Makes the text and the receipts durable, both or neither, and ends the turn. */
  write(text: string, receipts: string): Promise<void>
  /** Ends the turn without writing. */
  release(): Promise<void>
  /**
   * Calls `look` whenever another server may have written, but not before its own promise has settled.
   * Default: only the next turn shows it.
   */
  watch?(look: () => void): void | Promise<void>
  /** Releases what the store holds open. */
  close?(): Promise<void>
}
