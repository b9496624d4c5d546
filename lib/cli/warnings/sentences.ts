import type { Started } from '../started'

/** Sentences of one kind; anything else than a text is none. */
export type Warnings = (started: Started) => readonly (string | false | undefined)[]
